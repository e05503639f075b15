"""Which names each release of PEFT has, and the last with the old one."""

from __future__ import annotations

from typing import Any

from proof_names import NEW, ask, checked, run

from fixbook.recipe import detect, fix, reproduce

INT8 = "prepare_model_for_int8_training"
STACK = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "an older PEFT beside the main one, imported anew"


@detect(found=False, versions=["peft==0.9.0", *STACK], record_once=ONCE)
def asked_0_9() -> dict[str, Any]:
    """The last with prepare_model_for_int8_training."""
    return ask()


@detect(found=True, versions=["peft==0.10.0", *STACK], record_once=ONCE)
def asked_0_10() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["peft==0.14.0", *STACK], record_once=ONCE)
def asked_0_14() -> dict[str, Any]:
    """The last with QuantLinear."""
    return ask()


@detect(found=True, versions=["peft==0.15.0", *STACK], record_once=ONCE)
def asked_0_15() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["peft==0.16.0", *STACK], record_once=ONCE)
def asked_0_16() -> dict[str, Any]:
    """Modules were moved."""
    return ask()


@detect(found=True, versions=["peft==0.18.1"], record_once=ONCE)
def asked_0_18() -> dict[str, Any]:
    """The last with BoneConfig."""
    return ask()


@detect(found=True, versions=["peft==0.19.0"], record_once=ONCE)
def asked_0_19() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


@detect(found=True, versions=["peft==0.17.1"], record_once=ONCE)
def peft_itself() -> dict[str, Any]:
    """A script with nothing wrong, and a PEFT that does not suit transformers."""
    return checked(NEW)


@reproduce(versions=["peft==0.10.0", *STACK], record_once=ONCE)
def old_name_on_0_10() -> dict[str, Any]:
    """The first release without the function."""
    return run(INT8, eight_bits=False)


@fix(
    "release-of-the-code",
    control="old-name-on-0-10",
    versions=["peft==0.9.0", *STACK],
    record_once=ONCE,
)
def old_name_on_0_9() -> dict[str, Any]:
    """The last release with it."""
    return run(INT8, eight_bits=False)
