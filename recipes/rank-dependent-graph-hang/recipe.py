"""A rank whose batch skips a module asks for other collectives: the ranks wait, or abort."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import WIDTH, VisionLanguage, images_alone
from proof_run import (
    AN_EXPERT_EACH,
    BOTH_EXPERTS,
    MIXED,
    ONE_EXPERT_LESS,
    ONE_KIND_PER_STEP,
    TEXT,
    Checkpointed,
    MixtureOfExperts,
    all_frozen,
    outside_the_loss,
    projector_alone,
    ready_twice,
    run,
)
from proof_waits import analysed, checked, listed, rwkv_loop, wrapped_by_ddp

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}


def repaired() -> VisionLanguage:
    """Return the model with the page's blank image."""
    return VisionLanguage(snippet("blank-image")["encode"])


# --- The failure --------------------------------------------------------------------------------


@reproduce(on="any", ranks=2)
def ddp_one_rank_skips() -> Any:
    """Rank 1's reducer waits for gradients that never come; its next forward says so."""
    return run("ddp", VisionLanguage(images_alone))


@reproduce(on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_one_rank_skips() -> Any:
    """The ranks reduce buckets of different sizes."""
    return run("zero-2", VisionLanguage(images_alone))


@reproduce(on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_one_rank_skips() -> Any:
    """Rank 0 gathers the tower while rank 1 already gathers the language part."""
    return run("zero-3", VisionLanguage(images_alone))


@reproduce(on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_all_frozen() -> Any:
    """Frozen or not, rank 0 gathers what rank 1 skips."""
    return run("zero-3", all_frozen())


@reproduce(on="cpu", ranks=2)
def fsdp2_one_rank_skips() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", VisionLanguage(images_alone))


@reproduce(on="cpu", ranks=2)
def fsdp2_blank_outside_the_loss() -> Any:
    """Forward is in step; rank 1 has no backward of the projector."""
    return run("fsdp2", VisionLanguage(outside_the_loss))


@reproduce(on="cuda>=2", ranks=2, timeout_s=300)
def nccl_one_rank_skips() -> Any:
    """Nobody aborts: the watchdog ends the job after its timeout."""
    return run("fsdp2", VisionLanguage(images_alone), wait_s=15.0)


@reproduce(on="cpu", ranks=2)
def fsdp2_waits() -> Any:
    """Rank 1 uses an expert less, which is as large as the next layer: gloo cannot tell."""
    return run("fsdp2", MixtureOfExperts(outputs=WIDTH), ONE_EXPERT_LESS, wait_s=1.5)


@reproduce(on="any", ranks=2, needs=["deepspeed"])
def zero_3_experts_differ() -> Any:
    """Each rank gathers another expert, which DeepSpeed notices after the first step."""
    return run("zero-3", MixtureOfExperts(), AN_EXPERT_EACH)


# --- Is it this? --------------------------------------------------------------------------------


@detect(found=True, on="any", ranks=2)
def lists_differ() -> Any:
    """The module depends on the batch."""
    return listed(MIXED)


@detect(found=False, control="lists-differ", on="any", ranks=2)
def lists_agree() -> Any:
    """No batch uses it."""
    return listed(TEXT)


@detect(found=True, on="cpu", ranks=2, env=DETAIL)
def detail_names_it() -> Any:
    """No wait: each rank says what it asks for."""
    return checked(VisionLanguage(images_alone))


@detect(found=False, control="detail-names-it", on="cpu", ranks=2, env=DETAIL)
def detail_accepts_the_fix() -> Any:
    """The repaired training runs to its end."""
    return checked(repaired())


@detect(found=True, on="cpu")
def detail_crashes_ddp_on_gloo() -> Any:
    """SIGSEGV, with one process and without any mismatch."""
    return wrapped_by_ddp("DETAIL")


@detect(found=False, control="detail-crashes-ddp-on-gloo", on="cpu")
def info_does_not() -> Any:
    """The level below."""
    return wrapped_by_ddp("INFO")


@detect(found=True, on="cpu")
def recorder_finds_it() -> Any:
    """The recorder and its analyser, as the page prints them."""
    return analysed("one_expert_less")


@detect(found=False, control="recorder-finds-it", on="cpu")
def recorder_accepts_the_fix() -> Any:
    """Both ranks use the same experts."""
    return analysed("both_experts")


@detect(found=False, control="recorder-finds-it", on="cpu")
def recorder_sees_a_late_rank() -> Any:
    """Nothing differs, a rank is missing."""
    return analysed("prepares_data")


@detect(found=False, control="recorder-finds-it", on="cpu")
def recorder_accepts_uneven_sizes() -> Any:
    """An all-to-all, and two groups."""
    return analysed("uneven_but_right")


@detect(found=True, on="cuda>=2", programs=["torchrun", "torchfrtrace"], timeout_s=300)
def nccl_recorder_finds_it() -> Any:
    """The recorder and its analyser on NCCL, as the page prints them."""
    return analysed("skips")


@detect(found=True, on="any", ranks=2, needs=["deepspeed"])
def zero_2_mixes_experts() -> Any:
    """Equal sizes: nothing fails, and the weights are wrong."""
    return run("zero-2", MixtureOfExperts(), AN_EXPERT_EACH)


@detect(found=False, control="zero-2-mixes-experts", on="any", ranks=2, needs=["deepspeed"])
def zero_2_same_experts() -> Any:
    """Both ranks use both experts."""
    return run("zero-2", MixtureOfExperts(), BOTH_EXPERTS)


@detect(found=False, on="cpu", needs=["transformers"], env={"TORCH_FR_BUFFER_SIZE": "100"})
def rwkv_loop_sends_nothing() -> Any:
    """The loop that a report suspects, forward and backward."""
    return rwkv_loop()


# --- What helps ---------------------------------------------------------------------------------


@fix("blank-image", control="ddp-one-rank-skips", on="any", ranks=2)
def ddp_blank_image() -> Any:
    """Every parameter receives a gradient, on rank 1 one of zeros."""
    return run("ddp", repaired())


@fix("blank-image", control="zero-2-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_blank_image() -> Any:
    """As under DDP."""
    return run("zero-2", repaired())


@fix("blank-image", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_blank_image() -> Any:
    """The frozen tower runs too: it is gathered like any other module."""
    return run("zero-3", repaired())


@fix("blank-image", control="fsdp2-one-rank-skips", on="cpu", ranks=2)
def fsdp2_blank_image() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", repaired())


@fix("blank-image", control="nccl-one-rank-skips", on="cuda>=2", ranks=2, timeout_s=300)
def nccl_blank_image() -> Any:
    """Runs to its end on NCCL too."""
    return run("fsdp2", repaired(), wait_s=15.0)


@fix("find-unused", control="ddp-one-rank-skips", on="any", ranks=2)
def ddp_finds_unused() -> Any:
    """DDP looks for the unused parameters itself."""
    return run("ddp", VisionLanguage(images_alone), find_unused_parameters=True)


@detect(found=True, on="any", ranks=2)
def reentrant_checkpointing() -> Any:
    """The inner backward finds parameters that DDP already took for unused."""
    return ready_twice(Checkpointed(use_reentrant=True))


@detect(found=False, control="reentrant-checkpointing", on="any", ranks=2)
def non_reentrant_checkpointing() -> Any:
    """There is one backward, and DDP sees all of it."""
    return ready_twice(Checkpointed(use_reentrant=False))


@fix("zero-2", control="zero-3-all-frozen", on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_all_frozen() -> Any:
    """It gathers nothing, and what is frozen has no gradient to reduce."""
    return run("zero-2", all_frozen())


@fix("leaf-module", control="zero-3-experts-differ", on="any", ranks=2, needs=["deepspeed"])
def zero_3_experts_in_a_leaf() -> Any:
    """All experts are gathered and reduced together."""
    return run("zero-3", MixtureOfExperts(), AN_EXPERT_EACH, leaf_module={"classes": ["Experts"]})


# --- What does not ------------------------------------------------------------------------------


@non_fix("projector-alone", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_projector_alone() -> Any:
    """The frozen tower is still gathered by rank 0 alone."""
    return run("zero-3", VisionLanguage(projector_alone))


@non_fix("projector-alone", control="fsdp2-one-rank-skips", on="cpu", ranks=2)
def fsdp2_projector_alone() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", VisionLanguage(projector_alone))


@non_fix("same-modality-alone", control="ddp-one-rank-skips", on="any", ranks=2)
def ddp_one_kind_per_step() -> Any:
    """The text step leaves the projector without gradients on all ranks."""
    return run("ddp", VisionLanguage(images_alone), ONE_KIND_PER_STEP)


@non_fix(
    "same-modality-alone", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"]
)
def zero_3_one_kind_per_step() -> Any:
    """It runs, and the text step applies the projector's gradient of the step before once more."""
    return run("zero-3", VisionLanguage(images_alone), ONE_KIND_PER_STEP)


@non_fix("raise-the-timeout", control="fsdp2-waits", on="cpu", ranks=2)
def wait_three_times_as_long() -> Any:
    """The same failure, later."""
    return run("fsdp2", MixtureOfExperts(outputs=WIDTH), ONE_EXPERT_LESS, wait_s=4.5)


if __name__ == "__main__":
    main(__file__)
