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

from proof_ranks import adalora, look, pairs, run, two_heads
from proof_shared import own_function, shared

from fixbook.recipe import detect, fix, main, non_fix, reproduce

REST = ["tokenizers==0.22.1", "datasets==4.0.0"]
LAST_4 = [
    "transformers==4.57.6",
    "huggingface-hub==0.36.0",
    "peft==0.17.1",
    "accelerate==1.10.1",
    *REST,
]
HTTPX = ["httpx==0.28.1", "httpcore==1.0.9", "h11==0.16.0", "anyio==4.11.0", "sniffio==1.3.1"]
FIRST_5 = [
    "transformers==5.0.0",
    "huggingface-hub==1.3.4",
    "peft==0.18.1",
    "accelerate==1.12.0",
    *HTTPX,
    *REST,
]
ONCE = "an overlay of other releases"
STATIC_GRAPH = ["transformers>=5.6"]  # TrainingArguments has the option since


@reproduce(on="any", ranks=2)
def lora_reentrant() -> Any:
    """For a PeftModel the Trainer asks DDP to look for unused weights."""
    return run()


@reproduce(on="any", ranks=2)
def accumulating() -> Any:
    """The same with two batches for each step of the optimizer."""
    return run(gradient_accumulation_steps=2)


@reproduce(on="any", ranks=2)
def adalora_without_search() -> Any:
    """The penalty reports each matrix first, and the layer's own backward a second time."""
    return run(adalora, ddp_find_unused_parameters=False)


@reproduce(on="any", ranks=2)
def two_forwards() -> Any:
    """Nothing is searched for: each forward has a report of its own from every layer."""
    return pairs()


@reproduce(on="any", ranks=2)
def layer_used_twice() -> Any:
    """One forward, and each use of the layer has a report of its own."""
    return shared(reentrant=True)


@detect(found=True, on="any")
def graph_of_own_function() -> Any:
    """Such a node has the name of the library's class."""
    return own_function()


@detect(found=True, on="any", ranks=2)
def graph_of_reentrant() -> Any:
    """Each checkpointed layer is one opaque node of the graph."""
    return look(reentrant=True)


@detect(found=False, control="graph-of-reentrant", on="any", ranks=2)
def graph_of_not_reentrant() -> Any:
    """The graph shows the layers themselves."""
    return look(reentrant=False)


@detect(found=False, on="any", ranks=2)
def two_forwards_without_checkpointing() -> Any:
    """The look-alike: the same message, and no such node."""
    return two_heads()


@fix("not-reentrant", control="lora-reentrant", on="any", ranks=2)
def not_reentrant() -> Any:
    """The other kind of checkpointing, and nothing else."""
    return run(reentrant=False)


@fix("not-reentrant", control="accumulating", on="any", ranks=2)
def not_reentrant_accumulating() -> Any:
    """The recommended fix does not mind accumulation."""
    return run(gradient_accumulation_steps=2, reentrant=False)


@fix("not-reentrant", control="adalora-without-search", on="any", ranks=2)
def adalora_not_reentrant() -> Any:
    """One backward adds the gradients of penalty and layer before they report."""
    return run(adalora, ddp_find_unused_parameters=False, reentrant=False)


@fix("not-reentrant", control="two-forwards", on="any", ranks=2)
def two_forwards_not_reentrant() -> Any:
    """The gradients of both forwards are added before they report."""
    return pairs(reentrant=False)


@fix("not-reentrant", control="layer-used-twice", on="any", ranks=2)
def layer_used_twice_not_reentrant() -> Any:
    """The gradients of both uses are added before they report."""
    return shared(reentrant=False)


@fix("find-unused-off", control="lora-reentrant", on="any", ranks=2)
def find_unused_off() -> Any:
    """DDP takes no weight for unused beforehand."""
    return run(ddp_find_unused_parameters=False)


@fix("static-graph", control="lora-reentrant", on="any", ranks=2, needs=STATIC_GRAPH)
def static_graph() -> Any:
    """DDP counts in the first step how often each weight reports."""
    return run(ddp_static_graph=True)


@non_fix("static-graph-accumulating", control="accumulating", on="any", ranks=2, needs=STATIC_GRAPH)
def static_graph_accumulating() -> Any:
    """DDP counts in a backward that does not reduce, and ends in an assertion of its own."""
    return run(gradient_accumulation_steps=2, ddp_static_graph=True)


@reproduce(on="cpu", ranks=2, versions=LAST_4, record_once=ONCE)
def default_of_4_57() -> Any:
    """Left to itself, transformers 4 chose the reentrant kind."""
    return run(reentrant=None)


@fix(
    "not-reentrant",
    control="default-of-4-57",
    on="cpu",
    ranks=2,
    versions=FIRST_5,
    record_once=ONCE,
)
def default_of_5_0() -> Any:
    """Release 5 chooses the other one."""
    return run(reentrant=None)


if __name__ == "__main__":
    main(__file__)
