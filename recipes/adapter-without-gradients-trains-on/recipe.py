"""An adapter without gradients, in a training run that ends without an error."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_adapter import refused, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@detect(found=True)
def loaded_for_inference() -> dict[str, Any]:
    """PEFT loads an adapter frozen, and the embedding's hook gives the loss a graph."""
    return run("continued")


@detect(found=True)
def loaded_by_transformers() -> dict[str, Any]:
    """The same from the folder of an adapter."""
    return run("from_its_folder")


@detect(found=True)
def prepared_after_the_adapter() -> dict[str, Any]:
    """prepare_model_for_kbit_training freezes all that is there."""
    return run("fresh", prepared_last=True)


@detect(found=True)
def cut_off_from_the_loss() -> dict[str, Any]:
    """The head behind reentrant checkpoints trains, and nothing before it does."""
    return run("fresh", modules_to_save=["lm_head"], image=True, reentrant=True)


@fix("load-it-trainable", control="loaded-for-inference")
def loaded_to_train() -> dict[str, Any]:
    """is_trainable=True."""
    return run("continued", trainable=True)


@fix("load-it-trainable", control="loaded-by-transformers")
def switched_on() -> dict[str, Any]:
    """set_adapter makes the active adapter trainable."""
    return run("from_its_folder", switched_on=True)


@fix("prepare-first", control="prepared-after-the-adapter")
def prepared_before_the_adapter() -> dict[str, Any]:
    """The adapter comes after what freezes."""
    return run("fresh")


@fix("not-reentrant", control="cut-off-from-the-loss")
def joined_to_the_loss() -> dict[str, Any]:
    """The graph goes on through the blocks."""
    return run("fresh", modules_to_save=["lm_head"], image=True)


@reproduce()
def callback_stops_a_frozen_adapter() -> dict[str, Any]:
    """The callback of the page ends the run before the first step."""
    return run("continued", watched=True)


@reproduce()
def frozen_without_checkpointing() -> dict[str, Any]:
    """No hook, no graph: the same adapter is an error."""
    return run("continued", checkpointing=False)


@non_fix("input-gradients", control="frozen-without-checkpointing")
def hook_on_a_frozen_adapter() -> dict[str, Any]:
    """The hook ends the error, and nothing trains."""
    return run("continued", checkpointing=False, hooked=True)


@detect(found=True)
def callback_finds_the_cut() -> dict[str, Any]:
    """Trainable tensors that have no gradient as the optimizer is about to step."""
    return refused("fresh", modules_to_save=["lm_head"], image=True, reentrant=True)


@detect(found=False, control="callback-finds-the-cut")
def callback_lets_it_train() -> dict[str, Any]:
    """All have one."""
    return refused("fresh", modules_to_save=["lm_head"], image=True)


if __name__ == "__main__":
    main(__file__)
