"""An import of a name that the installed PEFT does not have; and a PEFT that cannot be imported."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "bitsandbytes==0.50.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_names import NEW, OLD, ask, checked, run

from fixbook.recipe import detect, fix, main, reproduce

KBIT = "prepare_model_for_kbit_training"
INT8 = "prepare_model_for_int8_training"
STACK = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
NEWER_STACK = ["tokenizers==0.19.1", "huggingface_hub==0.36.2", "numpy==1.26.4"]
OLD_STACK = ["tokenizers==0.15.2", "huggingface_hub==0.36.2", "numpy==1.26.4"]
ONCE = "an older PEFT or transformers beside the main one, imported anew"


@reproduce(on="any")
def old_name() -> dict[str, Any]:
    """A script that prepares its base with the function of 2023."""
    return run(INT8)


@reproduce(on="any", versions=["peft==0.10.0", *STACK], record_once=ONCE)
def old_name_on_0_10() -> dict[str, Any]:
    """The first release without the function."""
    return run(INT8, eight_bits=False)


@reproduce(on="any", versions=["peft==0.3.0", *STACK], record_once=ONCE)
def new_name_on_0_3() -> dict[str, Any]:
    """A script that is newer than the installed release."""
    return run(KBIT, eight_bits=False)


@reproduce(on="any", versions=["peft==0.17.1"], record_once=ONCE)
def peft_too_old() -> dict[str, Any]:
    """PEFT itself asks transformers 5 for a class that is gone."""
    return run(KBIT)


@reproduce(
    on="any", versions=["peft==0.14.0", "transformers==4.39.3", *OLD_STACK], record_once=ONCE
)
def peft_too_new() -> dict[str, Any]:
    """PEFT asks an older transformers for a class that is not there yet."""
    return run(KBIT, eight_bits=False)


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script with the old import."""
    return checked(OLD)


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same script with the new one."""
    return checked(NEW)


@detect(found=True, versions=["peft==0.17.1"], record_once=ONCE)
def peft_itself() -> dict[str, Any]:
    """A script with nothing wrong, and a PEFT that does not suit transformers."""
    return checked(NEW)


@fix("new-name", control="old-name", on="any")
def new_name() -> dict[str, Any]:
    """The page's lines as they are printed."""
    return run("as-printed")


@fix("newer-peft", control="peft-too-old", on="any")
def newer_peft() -> dict[str, Any]:
    """Today's PEFT with the same transformers."""
    return run(KBIT)


@fix(
    "newer-transformers",
    control="peft-too-new",
    on="any",
    versions=["peft==0.14.0", "transformers==4.43.4", *NEWER_STACK],
    record_once=ONCE,
)
def newer_transformers() -> dict[str, Any]:
    """The same PEFT with a transformers that has the class."""
    return run(KBIT, eight_bits=False)


@fix(
    "newer-transformers",
    control="peft-too-new",
    on="any",
    versions=["peft==0.13.2", "transformers==4.39.3", *OLD_STACK],
    record_once=ONCE,
)
def older_peft() -> dict[str, Any]:
    """The last PEFT before, with the same transformers."""
    return run(KBIT, eight_bits=False)


@fix(
    "release-of-the-code",
    control="old-name-on-0-10",
    on="any",
    versions=["peft==0.9.0", *STACK],
    record_once=ONCE,
)
def old_name_on_0_9() -> dict[str, Any]:
    """The last release with it."""
    return run(INT8, eight_bits=False)


@detect(found=True, on="any")
def deleted() -> dict[str, Any]:
    """The import and the call deleted: it trains."""
    return run("nothing")


@detect(found=False, control="deleted", on="any")
def prepared() -> dict[str, Any]:
    """The call kept under its new name."""
    return run(KBIT)


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


if __name__ == "__main__":
    main(__file__)
