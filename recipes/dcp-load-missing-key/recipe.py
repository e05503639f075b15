"""A distributed checkpoint that lacks a key which the loading program asks for."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_accelerate  # noqa: F401
from proof_load import bigger, compiled, optimizer_of_more, restored

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def compiled_model() -> dict[str, Any]:
    """torch.compile puts _orig_mod before every name."""
    return compiled()


@fix("names-of-the-model", control="compiled-model")
def names_without_the_wrapper() -> dict[str, Any]:
    """get_model_state_dict takes the wrapper's name out."""
    return compiled(printed="names-of-the-model")


@non_fix("partial-load", control="compiled-model")
def compiled_and_partial() -> dict[str, Any]:
    """No name is found, and that is allowed."""
    return compiled(partial=True)


@reproduce()
def bigger_model() -> dict[str, Any]:
    """The model has one layer more than when it was saved."""
    return bigger()


@fix("new-layers", control="bigger-model")
def new_layer_named() -> dict[str, Any]:
    """What is missing is what was expected to be."""
    return bigger(printed="new-layers")


@reproduce()
def more_are_trained() -> dict[str, Any]:
    """The first layer was frozen when it was saved."""
    return optimizer_of_more()


@fix("weights-only", control="more-are-trained")
def weights_alone() -> dict[str, Any]:
    """The optimizer begins anew."""
    return optimizer_of_more(printed="weights-only")


@detect(found=True)
def fresh_optimizer() -> dict[str, Any]:
    """The state of a new optimizer is empty, so nothing of it is asked for."""
    return restored()


@detect(found=False, control="fresh-optimizer")
def state_asked_for() -> dict[str, Any]:
    """get_state_dict makes the entries first."""
    return restored(printed="with-optimizer")


@fix("with-optimizer", control="fresh-optimizer")
def optimizer_restored() -> dict[str, Any]:
    """The same, as a fix."""
    return restored(printed="with-optimizer")


if __name__ == "__main__":
    main(__file__)
