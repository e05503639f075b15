"""GradScaler.step finds no gradient in its optimizer: the loss trains others, or nothing."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from functools import partial
from typing import Any

from failure import (
    Unchecked,
    by_numbers,
    cleared,
    each,
    early,
    early_and_fused,
    flat,
    kept,
    look,
    those_with_gradients,
    to_infer,
    to_train,
    tower,
    train,
    without_step,
)
from torch.amp import GradScaler

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def optimizer_first() -> dict[str, Any]:
    """The optimizer holds the weights that the adapter froze."""
    return train(early)


@reproduce()
def loaded_to_infer() -> dict[str, Any]:
    """The adapter was loaded frozen."""
    return train(to_infer)


@reproduce()
def loss_by_numbers() -> dict[str, Any]:
    """The loss is a new tensor, made of numbers."""
    return train(loss_of=by_numbers)


@reproduce()
def cleared_before_the_step() -> dict[str, Any]:
    """zero_grad between backward and step."""
    return train(act=cleared)


@reproduce()
def second_without_gradients() -> dict[str, Any]:
    """Two optimizers, and a loss that uses the parameters of one."""
    return train(act=each)


@reproduce()
def flat_and_cleared() -> dict[str, Any]:
    """zero_grad takes the long parameter's gradient away, where all gradients lie."""
    return train(flat)


@reproduce()
def tower_in_a_reentrant_checkpoint() -> dict[str, Any]:
    """Only a vision tower trains, and pictures have no gradient."""
    return train(tower)


@fix("checkpointing", control="tower-in-a-reentrant-checkpoint")
def tower_in_a_checkpoint() -> dict[str, Any]:
    """The checkpoint is not reentrant."""
    return train(partial(tower, reentrant=False))


@reproduce()
def update_alone() -> dict[str, Any]:
    """An update without a step."""
    return train(act=without_step)


@reproduce()
def fused() -> dict[str, Any]:
    """A fused optimizer passes step, and update complains."""
    return train(early_and_fused)


@detect(found=True)
def finds_others() -> dict[str, Any]:
    """Gradients lie where the optimizer does not look."""
    return look(early)


@detect(found=True)
def finds_nothing_trainable() -> dict[str, Any]:
    """No parameter may change."""
    return look(to_infer)


@detect(found=True)
def finds_no_graph() -> dict[str, Any]:
    """The loss leads nowhere."""
    return look(loss_of=by_numbers)


@detect(found=False, control="finds-others")
def finds_all_in_order() -> dict[str, Any]:
    """The optimizer was made last."""
    return look()


@fix("optimizer-last", control="optimizer-first")
def optimizer_last() -> dict[str, Any]:
    """The optimizer holds what trains."""
    return train()


@fix("optimizer-last", control="fused")
def optimizer_last_for_fused() -> dict[str, Any]:
    """The same for the message of update."""
    return train()


@fix("trainable", control="loaded-to-infer")
def loaded_to_train() -> dict[str, Any]:
    """The adapter was loaded to be trained."""
    return train(to_train)


@fix("graph", control="loss-by-numbers")
def loss_in_graph() -> dict[str, Any]:
    """The loss is made of losses."""
    return train()


@fix("each", control="second-without-gradients")
def those_with_gradients_alone() -> dict[str, Any]:
    """The other one is left out of this step."""
    return train(act=those_with_gradients)


@fix("zeros", control="flat-and-cleared")
def flat_and_zeroed() -> dict[str, Any]:
    """Zeros stay where backward adds to them."""
    return train(flat, act=kept)


@fix("order", control="cleared-before-the-step")
def cleared_at_the_start() -> dict[str, Any]:
    """zero_grad comes first."""
    return train()


@fix("order", control="update-alone")
def step_before_update() -> dict[str, Any]:
    """A step comes before the update."""
    return train()


@non_fix("assertion", control="optimizer-first")
def assertion_taken_out() -> dict[str, Any]:
    """The step is silent now, and update raises."""
    return train(early, scaler=Unchecked)


@detect(found=True)
def without_a_scaler() -> dict[str, Any]:
    """Without a scaler, as in bf16, the same loop runs."""
    done = train(early, scaler=partial(GradScaler, enabled=False))
    return {"found": done["moved"] == 0} | done


@detect(found=False, control="without-a-scaler")
def without_a_scaler_in_order() -> dict[str, Any]:
    """With the optimizer made last it trains."""
    done = train(scaler=partial(GradScaler, enabled=False))
    return {"found": done["moved"] == 0} | done


if __name__ == "__main__":
    main(__file__)
