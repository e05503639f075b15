"""Checkpointed again inside backward, a LoRA weight reports to DDP twice."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_ranks import look, pairs, run, two_heads

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu", ranks=2)
def lora_reentrant() -> Any:
    """For a PeftModel the Trainer asks DDP to look for unused weights."""
    return run()


@fix("not-reentrant", control="lora-reentrant", on="cpu", ranks=2)
def not_reentrant() -> Any:
    """The other kind of checkpointing, and nothing else."""
    return run(reentrant=False)


@fix("find-unused-off", control="lora-reentrant", on="cpu", ranks=2)
def find_unused_off() -> Any:
    """DDP takes no weight for unused beforehand."""
    return run(ddp_find_unused_parameters=False)


@fix("static-graph", control="lora-reentrant", on="cpu", ranks=2)
def static_graph() -> Any:
    """DDP counts in the first step how often each weight reports."""
    return run(ddp_static_graph=True)


@reproduce(on="cpu", ranks=2)
def accumulating() -> Any:
    """The same with two batches for each step of the optimizer."""
    return run(gradient_accumulation_steps=2)


@non_fix("static-graph-accumulating", control="accumulating", on="cpu", ranks=2)
def static_graph_accumulating() -> Any:
    """DDP counts in a backward that does not reduce, and ends in an assertion of its own."""
    return run(gradient_accumulation_steps=2, ddp_static_graph=True)


@fix("not-reentrant", control="accumulating", on="cpu", ranks=2)
def not_reentrant_accumulating() -> Any:
    """The recommended fix does not mind accumulation."""
    return run(gradient_accumulation_steps=2, reentrant=False)


@detect(found=True, on="cpu", ranks=2)
def graph_of_reentrant() -> Any:
    """Each checkpointed layer is one opaque node of the graph."""
    return look(reentrant=True)


@detect(found=False, control="graph-of-reentrant", on="cpu", ranks=2)
def graph_of_not_reentrant() -> Any:
    """The graph shows the layers themselves."""
    return look(reentrant=False)


@detect(found=False, on="cpu", ranks=2)
def two_forwards_without_checkpointing() -> Any:
    """The look-alike: the same message, and no such node."""
    return two_heads()


@reproduce(on="cpu", ranks=2)
def two_forwards() -> Any:
    """Nothing is searched for: each forward has a report of its own from every layer."""
    return pairs()


@fix("not-reentrant", control="two-forwards", on="cpu", ranks=2)
def two_forwards_not_reentrant() -> Any:
    """The gradients of both forwards are added before they report."""
    return pairs(reentrant=False)


if __name__ == "__main__":
    main(__file__)
