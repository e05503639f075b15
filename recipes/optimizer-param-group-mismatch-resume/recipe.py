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

from proof_resume import moved_state, resumed, stepped

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def more_modules() -> dict[str, Any]:
    """LoRA on one module more than when the checkpoint was saved."""
    return resumed("q_proj v_proj down_proj")


@reproduce()
def adapter_read_frozen() -> dict[str, Any]:
    """PeftModel.from_pretrained freezes what it reads."""
    return resumed("frozen")


@fix("settings-of-the-checkpoint", control="more-modules")
def same_modules() -> dict[str, Any]:
    """The model is made from the checkpoint, and may be trained."""
    return resumed("q_proj v_proj down_proj", printed="own-settings")


@fix("settings-of-the-checkpoint", control="adapter-read-frozen")
def adapter_read_trainable() -> dict[str, Any]:
    """The same."""
    return resumed("frozen", printed="own-settings")


@fix("new-optimizer", control="more-modules")
def merged_then_more_modules() -> dict[str, Any]:
    """What was learnt stays, and the optimizer begins anew."""
    return resumed("q_proj v_proj down_proj", printed="merge")


@non_fix("delete-optimizer", control="more-modules")
def optimizer_deleted() -> dict[str, Any]:
    """Steps are counted on; the schedule starts again."""
    return resumed("q_proj v_proj down_proj", delete=True)


@detect(found=True)
def another_module_of_the_same_shape() -> dict[str, Any]:
    """k_proj has the shapes of v_proj here."""
    return resumed("q_proj k_proj")


@detect(found=False, control="another-module-of-the-same-shape")
def the_same_modules() -> dict[str, Any]:
    """As it was saved."""
    return resumed("q_proj v_proj")


@reproduce()
def other_groups() -> dict[str, Any]:
    """Saved in one group, loaded in two."""
    return moved_state(groups=2)


@detect(found=True)
def other_shape() -> dict[str, Any]:
    """As many parameters, of other shapes: loaded without a word."""
    return moved_state(size=2**24)


@detect(found=False, control="other-shape")
def same_shape() -> dict[str, Any]:
    """As it was saved."""
    return moved_state()


@detect(found=True)
def other_shape_fused() -> dict[str, Any]:
    """The fused kernel trusts the sizes, and writes past the end."""
    return stepped(fused=True)


@detect(found=True)
def other_shape_not_fused() -> dict[str, Any]:
    """Without it the first step raises."""
    return stepped(fused=False)


if __name__ == "__main__":
    main(__file__)
