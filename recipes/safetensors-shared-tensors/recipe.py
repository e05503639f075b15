"""One tensor under two names: safetensors refuses it, and a reload may lose it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import FILE, saved, shared, tied
from proof_reload import apart, keep, written
from safetensors.torch import load_file

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet

OLD = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
ONCE = "an older transformers beside the main one, imported anew"


def through(how: str) -> dict[str, Any]:
    """Save a tied model, load it, and say what its file does not hold."""
    model = tied()
    loaded = saved(model, how)
    file = FILE
    if how == "save_pretrained":
        file = f"saved/{FILE}"
        measure(found=bool(snippet("reload", path="saved")["info"]["missing_keys"]))
    missing = sorted({*model.state_dict()} - {*load_file(file)})
    return {"off_by": apart(model, loaded), "missing": ", ".join(missing)}


@reproduce()
def tied_save_file() -> dict[str, Any]:
    """Two names for one tensor in the state dict."""
    return through("save_file")


@reproduce()
def tied_contiguous() -> dict[str, Any]:
    """What is contiguous already stays as it is."""
    return through("contiguous")


@fix("save-model", control="tied-save-file")
def tied_save_pretrained() -> dict[str, Any]:
    """The head is left out, and tied again on loading."""
    return through("save_pretrained")


@fix("save-model", control="tied-save-file")
def tied_save_model() -> dict[str, Any]:
    """One of the names is left out, and noted in the file."""
    return through("save_model")


@reproduce()
def layers_shared() -> dict[str, Any]:
    """A tie that the class does not declare."""
    return keep(shared())


@fix("declare", control="layers-shared")
def layers_declared() -> dict[str, Any]:
    """The class names the copy and its source."""
    return keep(shared(declared=True))


@fix("copies", control="layers-shared")
def layers_copied() -> dict[str, Any]:
    """Each name gets a tensor of its own."""
    return keep(shared(), copied=True)


@reproduce()
def layers_shared_as_bin() -> dict[str, Any]:
    """The way out of transformers 4."""
    return keep(shared(), safe_serialization=False)


@reproduce(versions=OLD, record_once=ONCE)
def layers_shared_on_4_57() -> dict[str, Any]:
    """The words of transformers 4, with the advice in them."""
    return keep(shared())


def as_bin() -> dict[str, Any]:
    """Ask for a .bin, and see what is there."""
    tied().save_pretrained("saved", safe_serialization=False)
    return {"found": "pytorch_model.bin" not in written(), "files": written()}


@detect(found=True)
def bin_asked_of_5() -> dict[str, Any]:
    """The argument is taken and not looked at."""
    return as_bin()


@detect(found=False, control="bin-asked-of-5", versions=OLD, record_once=ONCE)
def bin_asked_of_4_57() -> dict[str, Any]:
    """Here it decides the format."""
    return as_bin()


if __name__ == "__main__":
    main(__file__)
