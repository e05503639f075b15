"""An adapter whose names fit no layer: PEFT warns, and the base model answers."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_keys import by_hand_of_transformers, loaded, older, second, stopped

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "libraries beside the main ones, imported anew"


@detect(found=True, on="any")
def text_class() -> dict[str, Any]:
    """The adapter names model.language_model.layers, and the model has model.layers."""
    return loaded()


@detect(found=True, on="any")
def by_transformers() -> dict[str, Any]:
    """The model's own load_adapter prints a table, and the adapter does nothing."""
    return by_hand_of_transformers()


@reproduce(on="any")
def warning_stops_it() -> None:
    """The filter of the page makes the warning an error."""
    stopped()


@fix("class-of-training", control="text-class", on="any")
def class_of_training() -> dict[str, Any]:
    """The class that was trained."""
    return loaded(same_class=True)


@fix("rename", control="text-class", on="any", needs=["peft>=0.16"])
def renamed() -> dict[str, Any]:
    """The names of one class become those of the other."""
    return loaded(renamed=True)


@detect(found=True, on="any")
def second_adapter() -> dict[str, Any]:
    """load_adapter hands the missing names back, and warns of nothing."""
    return second()


@non_fix(
    "older-peft",
    control="text-class",
    on="any",
    versions=["peft==0.14.0", *OLD],
    record_once=ONCE,
)
def warned_on_0_14() -> dict[str, Any]:
    """An older release warns as well."""
    return older()


@detect(found=False, on="any", versions=["peft==0.13.0", *OLD], record_once=ONCE)
def silent_on_0_13() -> dict[str, Any]:
    """The release before says nothing."""
    return older()


if __name__ == "__main__":
    main(__file__)
