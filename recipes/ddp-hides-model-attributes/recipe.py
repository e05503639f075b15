"""DDP and DataParallel hand the forward through, and none of the model's other attributes."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_wrapped import asked, read, saved, trained, written

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def generate_of_ddp() -> dict[str, Any]:
    """Generation through DistributedDataParallel."""
    return written("ddp")


@reproduce(on="any")
def config_of_data_parallel() -> dict[str, Any]:
    """The configuration through DataParallel."""
    return read("dp")


@reproduce(on="any", ranks=2)
def generate_of_compiled_ddp() -> dict[str, Any]:
    """The same after torch.compile."""
    return written("ddp", compiled=True)


@detect(on="any", ranks=2, found=True)
def asked_of_ddp() -> dict[str, Any]:
    """DDP is around it."""
    return asked("ddp")


@detect(on="any", found=True)
def asked_of_data_parallel() -> dict[str, Any]:
    """DataParallel is around it."""
    return asked("dp")


@detect(on="any", found=False, control="asked-of-data-parallel")
def asked_of_bare() -> dict[str, Any]:
    """Nothing is around it."""
    return asked("bare")


@detect(on="any", ranks=2, found=False, control="asked-of-ddp")
def asked_after_module() -> dict[str, Any]:
    """What the first fix returns is bare."""
    return asked("ddp", "module")


@fix("module", control="generate-of-ddp", on="any", ranks=2)
def generate_of_module() -> dict[str, Any]:
    """The model inside DDP."""
    return written("ddp", "module")


@fix("module", control="config-of-data-parallel", on="any")
def config_of_module() -> dict[str, Any]:
    """The model inside DataParallel."""
    return read("dp", "module")


@fix("module", control="generate-of-compiled-ddp", on="any", ranks=2)
def generate_of_module_when_compiled() -> dict[str, Any]:
    """The model inside a compiled DDP."""
    return written("ddp", "module", compiled=True)


@fix("module", control="generate-of-ddp", on="any")
def generate_when_bare() -> dict[str, Any]:
    """The same line with one process and no wrapper."""
    return written("bare", "module")


@fix("unwrap", control="generate-of-ddp", on="any", ranks=2)
def generate_of_unwrapped() -> dict[str, Any]:
    """The model that accelerate takes out."""
    return written("ddp", "unwrap")


@non_fix("state-dict", control="generate-of-ddp", on="any", ranks=2)
def weights_of_the_wrapper() -> dict[str, Any]:
    """The weights, saved through the wrapper."""
    return saved()


@detect(on="any", ranks=2, found=True)
def trained_through_module() -> dict[str, Any]:
    """The loss comes from the model inside."""
    return trained("module")


@detect(on="any", ranks=2, found=False, control="trained-through-module")
def trained_through_ddp() -> dict[str, Any]:
    """The loss comes from DDP."""
    return trained()


if __name__ == "__main__":
    main(__file__)
