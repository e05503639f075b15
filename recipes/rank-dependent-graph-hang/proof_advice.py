"""Advice beside the recommended fix: what helps in one setting, and what does not help."""

from __future__ import annotations

from typing import Any

from failure import WIDTH, VisionLanguage, images_alone
from proof_run import (
    AN_EXPERT_EACH,
    BOTH_EXPERTS,
    ONE_EXPERT_LESS,
    ONE_KIND_PER_STEP,
    Checkpointed,
    MixtureOfExperts,
    projector_alone,
    run,
)

from fixbook.recipe import detect, non_fix, reproduce


@non_fix("same-modality-alone", control="ddp-one-rank-skips", on="cpu", ranks=2)
def ddp_one_kind_per_step() -> Any:
    """The text step leaves the projector without gradients on all ranks."""
    return run("ddp", VisionLanguage(images_alone), ONE_KIND_PER_STEP)


@non_fix(
    "same-modality-alone", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"]
)
def zero_3_one_kind_per_step() -> Any:
    """It runs, and the text step applies the projector's gradient of the step before once more."""
    return run("zero-3", VisionLanguage(images_alone), ONE_KIND_PER_STEP)


@non_fix("projector-alone", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_projector_alone() -> Any:
    """The frozen tower is still gathered by rank 0 alone."""
    return run("zero-3", VisionLanguage(projector_alone))


@non_fix("projector-alone", control="fsdp2-one-rank-skips", on="cpu", ranks=2)
def fsdp2_projector_alone() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", VisionLanguage(projector_alone))


def ready_twice(model: Checkpointed) -> dict[str, Any]:
    """Train as ``find-unused`` does, and return whether DDP objects to the checkpointing."""
    try:
        return run("ddp", model, find_unused_parameters=True) | {"found": False}
    except RuntimeError as error:
        return {"found": "marked as ready twice" in str(error)}


@detect(found=True, on="cpu", ranks=2)
def reentrant_checkpointing() -> Any:
    """The inner backward finds parameters that DDP already took for unused."""
    return ready_twice(Checkpointed(use_reentrant=True))


@detect(found=False, control="reentrant-checkpointing", on="cpu", ranks=2)
def non_reentrant_checkpointing() -> Any:
    """There is one backward, and DDP sees all of it."""
    return ready_twice(Checkpointed(use_reentrant=False))


@reproduce(on="cpu", ranks=2)
def fsdp2_waits() -> Any:
    """Rank 1 uses an expert less, which is as large as the next layer: gloo cannot tell."""
    return run("fsdp2", MixtureOfExperts(outputs=WIDTH), ONE_EXPERT_LESS, wait_s=1.5)


@non_fix("raise-the-timeout", control="fsdp2-waits", on="cpu", ranks=2)
def wait_three_times_as_long() -> Any:
    """The same failure, later."""
    return run("fsdp2", MixtureOfExperts(outputs=WIDTH), ONE_EXPERT_LESS, wait_s=4.5)


@detect(found=True, on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_mixes_experts() -> Any:
    """Equal sizes: nothing fails, and the weights are wrong."""
    return run("zero-2", MixtureOfExperts(), AN_EXPERT_EACH)


@detect(found=False, control="zero-2-mixes-experts", on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_same_experts() -> Any:
    """Both ranks use both experts."""
    return run("zero-2", MixtureOfExperts(), BOTH_EXPERTS)
