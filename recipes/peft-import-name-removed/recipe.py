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

import proof_releases  # noqa: F401
from proof_names import NEW, OLD, checked, run

from fixbook.recipe import detect, fix, main, reproduce

KBIT = "prepare_model_for_kbit_training"
INT8 = "prepare_model_for_int8_training"
NEWER_STACK = ["tokenizers==0.19.1", "huggingface_hub==0.36.2", "numpy==1.26.4"]
OLD_STACK = ["tokenizers==0.15.2", "huggingface_hub==0.36.2", "numpy==1.26.4"]
ONCE = "an older PEFT or transformers beside the main one, imported anew"


@reproduce()
def old_name() -> dict[str, Any]:
    """A script that prepares its base with the function of 2023."""
    return run(INT8)


@fix("new-name", control="old-name")
def new_name() -> dict[str, Any]:
    """The page's lines as they are printed."""
    return run("as-printed")


@reproduce(versions=["peft==0.17.1"], record_once=ONCE)
def peft_too_old() -> dict[str, Any]:
    """PEFT itself asks transformers 5 for a class that is gone."""
    return run(KBIT)


@fix("newer-peft", control="peft-too-old")
def newer_peft() -> dict[str, Any]:
    """Today's PEFT with the same transformers."""
    return run(KBIT)


@reproduce(versions=["peft==0.14.0", "transformers==4.39.3", *OLD_STACK], record_once=ONCE)
def peft_too_new() -> dict[str, Any]:
    """PEFT asks an older transformers for a class that is not there yet."""
    return run(KBIT, eight_bits=False)


@fix(
    "older-peft",
    control="peft-too-new",
    versions=["peft==0.13.2", "transformers==4.39.3", *OLD_STACK],
    record_once=ONCE,
)
def older_peft() -> dict[str, Any]:
    """The last PEFT before, with the same transformers."""
    return run(KBIT, eight_bits=False)


@fix(
    "newer-transformers",
    control="peft-too-new",
    versions=["peft==0.14.0", "transformers==4.43.4", *NEWER_STACK],
    record_once=ONCE,
)
def newer_transformers() -> dict[str, Any]:
    """The same PEFT with a transformers that has the class."""
    return run(KBIT, eight_bits=False)


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script with the old import."""
    return checked(OLD)


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same script with the new one."""
    return checked(NEW)


@detect(found=True)
def deleted() -> dict[str, Any]:
    """The import and the call deleted: it trains."""
    return run("nothing")


@detect(found=False, control="deleted")
def prepared() -> dict[str, Any]:
    """The call kept under its new name."""
    return run(KBIT)


if __name__ == "__main__":
    main(__file__)
