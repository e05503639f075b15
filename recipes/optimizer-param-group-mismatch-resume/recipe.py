"""The optimizer's state of one set of parameters, loaded for another; and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import by_hand
from proof_resume import (
    as_the_trainer,
    loaded,
    resumed,
    stepped,
    trained_in_part,
    usual_adapters,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

MORE = "q_proj v_proj down_proj"


@reproduce(on="any")
def more_modules() -> dict[str, Any]:
    """LoRA on one module more than when the checkpoint was saved."""
    return resumed(MORE)


@reproduce(on="any")
def adapter_read_frozen() -> dict[str, Any]:
    """PeftModel.from_pretrained freezes what it reads."""
    return resumed("frozen")


@reproduce(on="any")
def groups_by_hand() -> dict[str, Any]:
    """The Trainer saved two groups, and the optimizer has one."""
    return loaded(by_hand)


@reproduce(on="any")
def embedding_frozen() -> dict[str, Any]:
    """A loop's own file; the embedding was trained then, and is frozen now."""
    return trained_in_part()


@detect(found=True, on="any")
def another_module_of_the_same_shape() -> dict[str, Any]:
    """k_proj has the shapes of v_proj here."""
    return resumed("q_proj k_proj")


@detect(found=False, control="another-module-of-the-same-shape", on="any")
def the_same_modules() -> dict[str, Any]:
    """As it was saved."""
    return resumed("q_proj v_proj")


@detect(found=False)
def nothing_named_of_usual_adapters() -> dict[str, Any]:
    """Adapters of several kinds, each as it was saved."""
    return usual_adapters()


@fix("settings-of-the-checkpoint", control="more-modules", on="any")
def same_modules() -> dict[str, Any]:
    """The model is made from the checkpoint, and may be trained."""
    return resumed(MORE, printed="own-settings")


@fix("settings-of-the-checkpoint", control="adapter-read-frozen", on="any")
def adapter_read_trainable() -> dict[str, Any]:
    """The same."""
    return resumed("frozen", printed="own-settings")


@fix("groups-of-the-trainer", control="groups-by-hand", on="any")
def groups_as_saved() -> dict[str, Any]:
    """The Trainer makes the optimizer, as it did then."""
    return loaded(as_the_trainer)


@fix("new-optimizer", control="more-modules", on="any")
def merged_then_more_modules() -> dict[str, Any]:
    """What was learnt stays, and the optimizer begins anew."""
    return resumed(MORE, printed="merge")


@fix("weights-alone", control="embedding-frozen", on="any")
def weights_of_the_file() -> dict[str, Any]:
    """The optimizer of the file is left there."""
    return trained_in_part(printed=True)


@non_fix("delete-optimizer", control="more-modules", on="any")
def optimizer_deleted() -> dict[str, Any]:
    """Steps are counted on; the schedule starts again."""
    return resumed(MORE, delete=True)


@detect(found=True)
def other_shape_fused() -> dict[str, Any]:
    """The fused kernel trusts the sizes, and writes past the end."""
    return stepped(fused=True)


@detect(found=False, control="other-shape-fused")
def other_shape_not_fused() -> dict[str, Any]:
    """Without it the first step raises."""
    return stepped(fused=False)


if __name__ == "__main__":
    main(__file__)
