"""Arguments and names that the installed accelerate does not have any more, or not yet."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_names import (
    ask,
    checked,
    configured,
    logged,
    run,
    trained,
    trained_and_checked,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# accelerate below 0.21 imports pkg_resources, which newer setuptools do not have.
OLDEST = ["setuptools==69.5.1"]
# The Trainer of transformers imports PEFT and datasets, too, and the hub's client with them.
OTHERS = [
    "peft==0.13.2",
    "huggingface_hub==0.36.2",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
WITH_4_39 = ["transformers==4.39.3", "tokenizers==0.15.2", *OTHERS]
WITH_4_40 = ["transformers==4.40.0", "tokenizers==0.19.1", *OTHERS]
ONCE = "an older accelerate beside the main one, imported anew"


@reproduce(on="any", versions=["accelerate==1.2.1"], record_once=ONCE)
def trainer_on_1_2() -> dict[str, Any]:
    """Today's Trainer on an accelerate without keep_torch_compile."""
    return trained_and_checked()


@reproduce(versions=["accelerate==1.0.0"], record_once=ONCE)
def trainer_on_1_0() -> dict[str, Any]:
    """Today's Trainer on an accelerate that it refuses, before it has a device."""
    return trained()


@reproduce(versions=["accelerate==0.31.0"], record_once=ONCE)
def peft_on_0_31() -> dict[str, Any]:
    """Today's PEFT on an accelerate without clear_device_cache."""
    return trained(adapter=True)


@reproduce(versions=WITH_4_39, record_once=ONCE)
def trainer_of_4_39() -> dict[str, Any]:
    """A Trainer that hands accelerate the options itself."""
    return trained()


@reproduce(ranks=2)
def given_to_the_accelerator() -> dict[str, Any]:
    """A script of one's own, of 2024."""
    return run("accelerator")


@reproduce()
def logging_dir_given() -> dict[str, Any]:
    """A script of one's own, of 2023."""
    return logged("logging_dir")


@detect(found=True)
def old_argument() -> dict[str, Any]:
    """An argument that is gone."""
    return checked("dispatch_batches")


@detect(found=False, control="old-argument")
def new_argument() -> dict[str, Any]:
    """One that is there."""
    return checked("dataloader_config")


@fix(
    "newer-accelerate",
    control="trainer-on-1-2",
    on="any",
    versions=["accelerate==1.3.0"],
    record_once=ONCE,
)
def trainer_on_1_3() -> dict[str, Any]:
    """The first accelerate with it."""
    return trained_and_checked()


@fix("newer-accelerate", control="trainer-on-1-0", on="any")
def trainer_today() -> dict[str, Any]:
    """Today's accelerate."""
    return trained()


@fix("newer-accelerate", control="peft-on-0-31", on="any")
def peft_today() -> dict[str, Any]:
    """Today's accelerate."""
    return trained(adapter=True)


@fix(
    "older-accelerate",
    control="trainer-of-4-39",
    versions=["accelerate==0.34.2", *WITH_4_39],
    record_once=ONCE,
)
def trainer_of_4_39_on_0_34() -> dict[str, Any]:
    """The last accelerate that takes them."""
    return trained()


@fix("older-accelerate", control="trainer-of-4-39", on="any", versions=WITH_4_40, record_once=ONCE)
def trainer_of_4_40() -> dict[str, Any]:
    """The first Trainer that makes a DataLoaderConfiguration."""
    return trained()


@fix("own-code", control="given-to-the-accelerator", ranks=2)
def given_to_the_config() -> dict[str, Any]:
    """The same option where it belongs."""
    return run("config")


@fix("own-code", control="given-to-the-accelerator", ranks=2)
def as_printed() -> dict[str, Any]:
    """The page's code as it is printed."""
    return run("as-printed")


@fix("own-code", control="logging-dir-given")
def project_dir_given() -> dict[str, Any]:
    """Today's name."""
    return logged("project_dir")


@fix("own-code", control="logging-dir-given")
def in_project_config() -> dict[str, Any]:
    """The folder in the ProjectConfiguration; and as project_dir beside one, to no effect."""
    return configured()


@non_fix(
    "any-older",
    control="logging-dir-given",
    versions=["accelerate==0.27.2"],
    record_once=ONCE,
)
def logging_dir_on_0_27() -> dict[str, Any]:
    """A release that is older, and not old enough."""
    return logged("logging_dir")


@detect(found=True, ranks=2)
def deleted() -> dict[str, Any]:
    """The option deleted: it runs, and reads rows twice."""
    return run("nowhere")


@detect(found=False, control="deleted", ranks=2)
def kept() -> dict[str, Any]:
    """The option kept, in the configuration."""
    return run("config")


@detect(found=False, versions=["accelerate==0.19.0", *OLDEST], record_once=ONCE)
def asked_0_19() -> dict[str, Any]:
    """The last with logging_dir."""
    return ask()


@detect(found=False, versions=["accelerate==0.20.0", *OLDEST], record_once=ONCE)
def asked_0_20() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=["accelerate==0.25.0"], record_once=ONCE)
def asked_0_25() -> dict[str, Any]:
    """Without use_seedable_sampler, and with is_tpu_available."""
    return ask()


@detect(found=False, versions=["accelerate==0.28.0"], record_once=ONCE)
def asked_0_28() -> dict[str, Any]:
    """The first with DataLoaderConfiguration."""
    return ask()


@detect(found=False, versions=["accelerate==0.32.0"], record_once=ONCE)
def asked_0_32() -> dict[str, Any]:
    """The first with clear_device_cache."""
    return ask()


@detect(found=False, control="asked-1-0", versions=["accelerate==0.34.2"], record_once=ONCE)
def asked_0_34() -> dict[str, Any]:
    """The last with dispatch_batches."""
    return ask()


@detect(found=True, versions=["accelerate==1.0.0"], record_once=ONCE)
def asked_1_0() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["accelerate==1.5.0"], record_once=ONCE)
def asked_1_5() -> dict[str, Any]:
    """Without check_fp8_capability."""
    return ask()


@detect(found=True, versions=["accelerate==1.12.0"], record_once=ONCE)
def asked_1_12() -> dict[str, Any]:
    """The last with is_ipex_available."""
    return ask()


@detect(found=True, versions=["accelerate==1.13.0"], record_once=ONCE)
def asked_1_13() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


if __name__ == "__main__":
    main(__file__)
