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

from failure import VisionLanguage, images_alone
from proof_run import AN_EXPERT_EACH, MixtureOfExperts, run

from fixbook.recipe import fix, main, reproduce, snippet


@reproduce(on="cpu", ranks=2)
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


@reproduce(on="cpu", ranks=2)
def fsdp2_one_rank_skips() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", VisionLanguage(images_alone))


@fix("blank-image", control="ddp-one-rank-skips", on="cpu", ranks=2)
def ddp_blank_image() -> Any:
    """Every parameter receives a gradient, on rank 1 one of zeros."""
    return run("ddp", VisionLanguage(snippet("blank-image")["encode"]))


@fix("blank-image", control="zero-2-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_2_blank_image() -> Any:
    """As under DDP."""
    return run("zero-2", VisionLanguage(snippet("blank-image")["encode"]))


@fix("blank-image", control="zero-3-one-rank-skips", on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_blank_image() -> Any:
    """The frozen tower runs too: it is gathered like any other module."""
    return run("zero-3", VisionLanguage(snippet("blank-image")["encode"]))


@fix("blank-image", control="fsdp2-one-rank-skips", on="cpu", ranks=2)
def fsdp2_blank_image() -> Any:
    """As ZeRO-3."""
    return run("fsdp2", VisionLanguage(snippet("blank-image")["encode"]))


@fix("find-unused", control="ddp-one-rank-skips", on="cpu", ranks=2)
def ddp_finds_unused() -> Any:
    """DDP looks for the unused parameters itself."""
    return run("ddp", VisionLanguage(images_alone), find_unused_parameters=True)


@reproduce(on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_experts_differ() -> Any:
    """Each rank gathers another expert, which DeepSpeed notices after the first step."""
    return run("zero-3", MixtureOfExperts(), AN_EXPERT_EACH)


@fix("leaf-module", control="zero-3-experts-differ", on="cpu", ranks=2, needs=["deepspeed"])
def zero_3_experts_in_a_leaf() -> Any:
    """All experts are gathered and reduced together."""
    return run("zero-3", MixtureOfExperts(), AN_EXPERT_EACH, leaf_module={"classes": ["Experts"]})


if __name__ == "__main__":
    main(__file__)
