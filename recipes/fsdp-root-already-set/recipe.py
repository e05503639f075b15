"""An inner module of FSDP is used before the outermost one, and takes itself for the root."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_root import look, train, wrapped

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def layer_first() -> dict[str, Any]:
    """A layer alone, then the whole."""
    return train("layer")


@reproduce(on="any", ranks=2)
def layer_first_fsdp2() -> dict[str, Any]:
    """The same, in FSDP2's words."""
    return train("layer", version=2)


@reproduce(on="any", ranks=2)
def saved_inside() -> dict[str, Any]:
    """A checkpoint of the unwrapped model, before the first step."""
    return train("save inside")


@reproduce(on="any", ranks=2)
def saved_twice() -> dict[str, Any]:
    """A checkpoint of the unwrapped model, then one of the whole."""
    return train("save inside, save")


@reproduce(on="any", ranks=2)
def wrapped_afterwards() -> dict[str, Any]:
    """A model that has run, inside another wrapper."""
    return wrapped(late=True)


@detect(found=True, on="any", ranks=2)
def finds_the_layer() -> dict[str, Any]:
    """The layer that took itself for the root."""
    return look("layer")


@detect(found=True, on="any", ranks=2)
def finds_it_in_fsdp2() -> dict[str, Any]:
    """The same of FSDP2."""
    return look("layer", version=2)


@detect(found=False, control="finds-the-layer", on="any", ranks=2)
def accepts_the_whole_first() -> dict[str, Any]:
    """The whole, then the layer."""
    return look("whole, layer")


@fix("whole", control="layer-first", on="any", ranks=2)
def whole_first() -> dict[str, Any]:
    """The whole once, then the layer, then the whole."""
    return train("whole, layer")


@fix("whole", control="layer-first-fsdp2", on="any", ranks=2)
def whole_first_fsdp2() -> dict[str, Any]:
    """The same of FSDP2."""
    return train("whole, layer", version=2)


@fix("save-outside", control="saved-inside", on="any", ranks=2)
def saved_outside() -> dict[str, Any]:
    """A checkpoint of the outermost module."""
    return train("save")


@fix("save-outside", control="saved-twice", on="any", ranks=2)
def saved_outside_at_once() -> dict[str, Any]:
    """The same, without the inside."""
    return train("save")


@non_fix("type-outside", control="saved-inside", on="any", ranks=2)
def type_outside() -> dict[str, Any]:
    """The type is set for the whole, and the inside is saved."""
    return train("type outside")


@fix("wrap-first", control="wrapped-afterwards", on="any", ranks=2)
def wrapped_before() -> dict[str, Any]:
    """All wrappers, then the first forward."""
    return wrapped(late=False)


if __name__ == "__main__":
    main(__file__)
