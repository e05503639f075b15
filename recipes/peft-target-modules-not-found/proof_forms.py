"""Lists and patterns that another model, or another class of it, would have filled or fitted."""

from __future__ import annotations

from typing import Any

from proof_targets import put, reached

from fixbook.recipe import reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "libraries beside the main ones, imported anew"


@reproduce()
def empty_list() -> dict[str, Any]:
    """A script looked for one kind of layer, and the model has none of it."""
    return reached(put([]))


@reproduce(versions=["peft==0.8.2", *OLD], record_once=ONCE)
def empty_list_on_0_8() -> dict[str, Any]:
    """The same in the words of an older PEFT."""
    return reached(put([]))


@reproduce()
def whole_path() -> dict[str, Any]:
    """The pattern begins as the paths of a multimodal class do, and those of this one do not."""
    return reached(put(r"model\.language_model\.layers\.\d+\..*qkv_proj"))
