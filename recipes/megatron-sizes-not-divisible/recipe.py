"""Megatron divides processes, heads, layers, vocabulary, tokens and batches, and refuses a rest."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import groups, heads, layers, micro_batches, vocabulary
from proof_sizes import look, shared_heads, shared_tokens

from fixbook.recipe import detect, fix, main, reproduce

CORE = ["megatron-core==0.16.1"]
CORE_0_16 = ["megatron-core==0.16.0"]
CORE_0_15 = ["megatron-core==0.15.3"]
CORE_0_9 = ["megatron-core==0.9.0"]


@reproduce(versions=CORE)
def one_process() -> dict[str, int]:
    """Two tensor-parallel ranks, and a launcher that started one process."""
    return groups(tensor_model_parallel_size=2)


@reproduce(versions=CORE, ranks=2)
def experts() -> dict[str, int]:
    """Experts over two ranks, which share tensors as well: four are wanted."""
    return groups(tensor_model_parallel_size=2, expert_model_parallel_size=2)


@reproduce(versions=CORE)
def heads_left() -> dict[str, Any]:
    """28 heads over 8 ranks."""
    return shared_heads(8)


@reproduce(versions=CORE)
def groups_left() -> dict[str, int]:
    """3 groups of keys and values over 8 ranks."""
    return heads(24, tensor=8, key_values=3)


@reproduce(versions=CORE)
def layers_left() -> dict[str, Any]:
    """46 layers over 4 stages."""
    return layers(46, stages=4)


@reproduce(versions=CORE)
def vocabulary_left() -> dict[str, int]:
    """An added token."""
    return vocabulary(32001)


@reproduce(versions=CORE, ranks=2)
def tokens_left() -> dict[str, Any]:
    """A sequence of 7 tokens over 2 ranks."""
    return shared_tokens(7)


@reproduce(versions=CORE)
def batch_left() -> dict[str, int]:
    """A batch of 20, and 8 at once."""
    return micro_batches(20)


@fix("processes", control="one-process", versions=CORE, ranks=2)
def two_processes() -> dict[str, int]:
    """Two processes."""
    return groups(tensor_model_parallel_size=2)


@fix("tensor", control="heads-left", versions=CORE)
def four_ranks() -> dict[str, Any]:
    """28 heads over 4 ranks."""
    return shared_heads(4)


@fix("expert-tensor", control="experts", versions=CORE, ranks=2)
def experts_whole() -> dict[str, int]:
    """Each expert whole on one rank."""
    return groups(
        tensor_model_parallel_size=2, expert_model_parallel_size=2, expert_tensor_parallel_size=1
    )


@fix("layers", control="layers-left", versions=CORE)
def last_stage_shorter() -> dict[str, Any]:
    """Ten layers in the last stage."""
    return layers(46, stages=4, num_layers_in_last_pipeline_stage=10)


@fix("pad", control="tokens-left", versions=CORE, ranks=2)
def tokens_padded() -> dict[str, Any]:
    """8 tokens."""
    return shared_tokens(7, padded=True)


@fix("vocabulary", control="vocabulary-left", versions=CORE)
def vocabulary_padded() -> dict[str, int]:
    """A padded vocabulary."""
    return vocabulary(32256)


@fix("batch", control="batch-left", versions=CORE)
def batch_of_sixteen() -> dict[str, int]:
    """A batch of 16."""
    return micro_batches(16)


@fix("tensor", control="groups-left", versions=CORE)
def six_ranks() -> dict[str, int]:
    """3 groups over 6 ranks: a group may be on several."""
    return heads(24, tensor=6, key_values=3)


@reproduce(versions=CORE_0_15)
def groups_on_0_15() -> dict[str, int]:
    """2 groups over 8 ranks."""
    return heads(32, tensor=8, key_values=2)


@fix("upgrade", control="groups-on-0-15", versions=CORE_0_16)
def groups_on_0_16() -> dict[str, int]:
    """The same with the next release."""
    return heads(32, tensor=8, key_values=2)


@detect(found=True, versions=CORE_0_9)
def layers_lost() -> dict[str, Any]:
    """30 layers over 4 stages, with an older release."""
    built = layers(30, stages=4)
    return {"found": built["together"] != 30, **built}


@detect(found=True, versions=CORE)
def looked_at_eight() -> dict[str, Any]:
    """The page's question about 8 ranks."""
    return look(tensor=8)


@detect(found=False, control="looked-at-eight", versions=CORE)
def looked_at_four() -> dict[str, Any]:
    """The same about 4."""
    return look(tensor=4)


if __name__ == "__main__":
    main(__file__)
