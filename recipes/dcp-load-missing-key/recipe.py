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

from proof_accelerate import resumed
from proof_load import (
    bigger,
    compiled,
    optimizer_of_more,
    restored,
    saved_compiled,
    with_extra_state,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["accelerate==1.12.0"]
MENDED = ["accelerate==1.13.0"]
ONCE = "FSDP2 by an older accelerate, imported anew"


@reproduce(on="any")
def compiled_model() -> dict[str, Any]:
    """torch.compile puts _orig_mod before every name."""
    return compiled()


@fix("names-of-the-model", control="compiled-model", on="any")
def names_without_the_wrapper() -> dict[str, Any]:
    """get_model_state_dict takes the wrapper's name out."""
    return compiled(printed="names-of-the-model")


@non_fix("partial-load", control="compiled-model", on="any")
def compiled_and_partial() -> dict[str, Any]:
    """No name is found, and that is allowed."""
    return compiled(partial=True)


@reproduce(on="any")
def saved_by_a_compiled_model() -> dict[str, Any]:
    """The prefix is in the checkpoint, and the model has none."""
    return saved_compiled()


@fix("saved-prefix", control="saved-by-a-compiled-model", on="any")
def under_the_saved_names() -> dict[str, Any]:
    """The model's own tensors, under the names that were saved."""
    return saved_compiled(printed="saved-prefix")


@reproduce(on="any")
def bigger_model() -> dict[str, Any]:
    """The model has one layer more than when it was saved."""
    return bigger()


@fix("new-layers", control="bigger-model", on="any")
def new_layer_named() -> dict[str, Any]:
    """What is missing is what was expected to be."""
    return bigger(printed="new-layers")


@reproduce(on="any")
def extra_state_asked_for() -> dict[str, Any]:
    """Layers have a state beside their weights, as those of Transformer Engine do."""
    return with_extra_state()


@fix("extra-state", control="extra-state-asked-for", on="any")
def extra_state_left_out() -> dict[str, Any]:
    """The weights alone."""
    return with_extra_state(printed="extra-state")


@reproduce(on="any")
def more_are_trained() -> dict[str, Any]:
    """The first layer was frozen when it was saved."""
    return optimizer_of_more()


@fix("weights-only", control="more-are-trained", on="any")
def weights_alone() -> dict[str, Any]:
    """The optimizer begins anew."""
    return optimizer_of_more(printed="weights-only")


@fix("keep-moments", control="more-are-trained", on="any")
def moments_kept() -> dict[str, Any]:
    """The parameters that were trained go on; the others begin anew."""
    return optimizer_of_more(printed="keep-moments")


@reproduce(on="any")
def never_had_a_gradient() -> dict[str, Any]:
    """The same model, and no loss used its first layer before it was saved."""
    return optimizer_of_more(unused=True)


@fix("keep-moments", control="never-had-a-gradient", on="any")
def moments_kept_of_the_others() -> dict[str, Any]:
    """What had no gradient begins anew, as it would have."""
    return optimizer_of_more(printed="keep-moments", unused=True)


@reproduce(versions=OLD, record_once=ONCE)
def accelerate_1_12() -> dict[str, Any]:
    """It saved under names, and asks for numbers."""
    return resumed(fresh=False)


@fix("newer-accelerate", control="accelerate-1-12", versions=MENDED, record_once=ONCE)
def accelerate_1_13() -> dict[str, Any]:
    """It asks for names too."""
    return resumed(fresh=False)


@detect(found=True, on="any")
def fresh_optimizer() -> dict[str, Any]:
    """The state of a new optimizer is empty, so nothing of it is asked for."""
    return restored()


@fix("with-optimizer", control="fresh-optimizer", on="any")
def optimizer_restored() -> dict[str, Any]:
    """get_state_dict makes the entries first."""
    return restored(printed="with-optimizer")


@detect(found=True, versions=OLD, record_once=ONCE)
def new_run_on_1_12() -> dict[str, Any]:
    """A new optimizer has no state yet, so it asks for nothing."""
    return resumed(fresh=True)


@detect(found=False, control="new-run-on-1-12", versions=MENDED, record_once=ONCE)
def new_run_on_1_13() -> dict[str, Any]:
    """The entries are made first."""
    return resumed(fresh=True)


if __name__ == "__main__":
    main(__file__)
