"""Weights saved while ZeRO-3 holds them in parts, and what becomes of the file."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "peft==0.21.2",
#     "deepspeed==0.19.8",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_save import load, look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu", ranks=2)
def model_from_module() -> Any:
    """What the module holds between two forwards is empty."""
    return run()


@reproduce(on="cpu", ranks=2)
def adapter_from_module() -> Any:
    """Adapters are partitioned as well."""
    return run(lora=True)


@reproduce(on="cpu", ranks=2)
def loaded_into_parts() -> Any:
    """The other way round: the file is whole, and the model empty."""
    return load(partition=True)


@fix("gather-on-save", control="model-from-module", on="cpu", ranks=2)
def model_saved_by_engine() -> Any:
    """The engine gathers layer by layer."""
    return run("save")


@fix("gather-yourself", control="model-from-module", on="cpu", ranks=2)
def model_gathered() -> Any:
    """The module is whole while it is saved."""
    return run("save-gathered")


@fix("gather-yourself", control="adapter-from-module", on="cpu", ranks=2)
def adapter_gathered() -> Any:
    """Only the adapters are gathered."""
    return run("save-gathered", lora=True)


@fix("from-the-checkpoint", control="model-from-module", on="cpu", ranks=2)
def model_from_checkpoint() -> Any:
    """The partitions are in the checkpoint."""
    return run("checkpoint")


@fix("load-before", control="loaded-into-parts", on="cpu", ranks=2)
def loaded_whole() -> Any:
    """The model is whole as well."""
    return load(partition=False)


@non_fix("ignore-sizes", control="model-from-module", on="cpu", ranks=2)
def sizes_ignored() -> Any:
    """Every weight is drawn anew."""
    return run(ignore=True)


@reproduce(on="cpu", ranks=2)
def loaded_not_strictly() -> Any:
    """It is about missing and unexpected names, not about shapes."""
    return load(partition=True, strict=False)


@detect(found=True, on="cpu", ranks=2)
def listed_after_a_step() -> Any:
    """Straight after a step everything is empty."""
    return look(evaluate=False)


@detect(found=False, control="listed-after-a-step", on="cpu", ranks=2)
def listed_after_an_evaluation() -> Any:
    """After a forward without gradients nothing is."""
    return look(evaluate=True)


if __name__ == "__main__":
    main(__file__)
