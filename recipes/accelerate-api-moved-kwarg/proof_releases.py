"""Which names each release of accelerate has, and libraries beside one that does not suit them."""

from __future__ import annotations

from typing import Any

from proof_names import ask, trained

from fixbook.recipe import detect, fix, reproduce

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
OLD = ["tokenizers==0.15.2", *OTHERS]
NEXT = ["tokenizers==0.19.1", *OTHERS]
ONCE = "an older accelerate beside the main one, imported anew"


@detect(found=False, versions=["accelerate==0.19.0", *OLDEST], record_once=ONCE)
def asked_0_19() -> dict[str, Any]:
    """The last with logging_dir."""
    return ask()


@detect(found=False, versions=["accelerate==0.20.0", *OLDEST], record_once=ONCE)
def asked_0_20() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=["accelerate==0.24.1"], record_once=ONCE)
def asked_0_24() -> dict[str, Any]:
    """The last with is_safetensors_available."""
    return ask()


@detect(found=False, versions=["accelerate==0.25.0"], record_once=ONCE)
def asked_0_25() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=["accelerate==0.27.2"], record_once=ONCE)
def asked_0_27() -> dict[str, Any]:
    """The last with is_tpu_available."""
    return ask()


@detect(found=False, versions=["accelerate==0.28.0"], record_once=ONCE)
def asked_0_28() -> dict[str, Any]:
    """The first without, and the first with DataLoaderConfiguration."""
    return ask()


@detect(found=False, versions=["accelerate==0.31.0"], record_once=ONCE)
def asked_0_31() -> dict[str, Any]:
    """The last without clear_device_cache."""
    return ask()


@detect(found=False, versions=["accelerate==0.32.0"], record_once=ONCE)
def asked_0_32() -> dict[str, Any]:
    """The first with it."""
    return ask()


@detect(found=False, control="asked-1-0", versions=["accelerate==0.34.2"], record_once=ONCE)
def asked_0_34() -> dict[str, Any]:
    """The last with dispatch_batches."""
    return ask()


@detect(found=True, versions=["accelerate==1.0.0"], record_once=ONCE)
def asked_1_0() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["accelerate==1.2.1"], record_once=ONCE)
def asked_1_2() -> dict[str, Any]:
    """The last without keep_torch_compile."""
    return ask()


@detect(found=True, versions=["accelerate==1.3.0"], record_once=ONCE)
def asked_1_3() -> dict[str, Any]:
    """The first with it."""
    return ask()


@detect(found=True, versions=["accelerate==1.4.0"], record_once=ONCE)
def asked_1_4() -> dict[str, Any]:
    """The last with check_fp8_capability."""
    return ask()


@detect(found=True, versions=["accelerate==1.5.0"], record_once=ONCE)
def asked_1_5() -> dict[str, Any]:
    """The first without."""
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


@reproduce(versions=["transformers==4.39.3", *OLD], record_once=ONCE)
def trainer_of_4_39() -> dict[str, Any]:
    """A Trainer that hands accelerate the options itself."""
    return trained()


@fix(
    "releases",
    control="trainer-of-4-39",
    versions=["accelerate==0.34.2", "transformers==4.39.3", *OLD],
    record_once=ONCE,
)
def trainer_of_4_39_on_0_34() -> dict[str, Any]:
    """The last accelerate that takes them."""
    return trained()


@fix(
    "releases",
    control="trainer-of-4-39",
    versions=["transformers==4.40.0", *NEXT],
    record_once=ONCE,
)
def trainer_of_4_40() -> dict[str, Any]:
    """The first Trainer that makes a DataLoaderConfiguration."""
    return trained()


@reproduce(versions=["accelerate==1.2.1"], record_once=ONCE)
def trainer_on_1_2() -> dict[str, Any]:
    """Today's Trainer on an accelerate without keep_torch_compile."""
    return trained()


@fix(
    "releases",
    control="trainer-on-1-2",
    versions=["accelerate==1.3.0"],
    record_once=ONCE,
)
def trainer_on_1_3() -> dict[str, Any]:
    """The first accelerate with it."""
    return trained()


@reproduce(versions=["accelerate==0.31.0"], record_once=ONCE)
def peft_on_0_31() -> dict[str, Any]:
    """Today's PEFT on an accelerate without clear_device_cache."""
    return trained(adapter=True)


@fix("releases", control="peft-on-0-31")
def peft_today() -> dict[str, Any]:
    """Today's accelerate."""
    return trained(adapter=True)
