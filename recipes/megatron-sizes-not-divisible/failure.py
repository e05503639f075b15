"""What Megatron Core divides by what: processes, heads, layers, vocabulary, tokens, batches."""

from __future__ import annotations

from typing import Any

import torch
from megatron.core import parallel_state
from megatron.core.num_microbatches_calculator import ConstantNumMicroBatchesCalculator
from megatron.core.tensor_parallel.mappings import scatter_to_sequence_parallel_region
from megatron.core.tensor_parallel.utils import VocabUtility
from megatron.core.transformer.transformer_block import get_num_layers_to_build
from megatron.core.transformer.transformer_config import TransformerConfig

from fixbook.recipe.helpers import join_gloo


def groups(**sizes: int) -> dict[str, int]:
    """Make Megatron's groups of processes out of those that the launcher started."""
    join_gloo()
    parallel_state.initialize_model_parallel(**sizes)
    return {"data_parallel": parallel_state.get_data_parallel_world_size()}


def heads(count: int, *, tensor: int, key_values: int | None = None) -> dict[str, int]:
    """Configure attention with that many heads, and as many groups of keys and values."""
    config = TransformerConfig(
        num_layers=4,
        hidden_size=64 * count,
        num_attention_heads=count,
        num_query_groups=key_values,
        tensor_model_parallel_size=tensor,
    )
    return {"heads": config.num_attention_heads // config.tensor_model_parallel_size}


def layers(count: int, *, stages: int, **uneven: Any) -> dict[str, Any]:
    """Share layers out to the stages of a pipeline."""
    config = TransformerConfig(
        num_layers=count,
        hidden_size=64,
        num_attention_heads=4,
        pipeline_model_parallel_size=stages,
        pipeline_dtype=torch.bfloat16,
        **uneven,
    )
    shares = []
    parallel_state.set_pipeline_model_parallel_world_size(stages)
    for stage in range(stages):
        parallel_state.set_pipeline_model_parallel_rank(stage)
        shares.append(get_num_layers_to_build(config))
    return {"shares": shares, "together": sum(shares)}


def vocabulary(size: int) -> dict[str, int]:
    """Share a vocabulary out to two tensor-parallel ranks."""
    first, last = VocabUtility.vocab_range_from_global_vocab_size(size, 0, 2)
    return {"rows": last - first}


def tokens(count: int) -> dict[str, int]:
    """Share a sequence out to tensor-parallel ranks, as sequence parallelism does."""
    groups(tensor_model_parallel_size=2)
    share = scatter_to_sequence_parallel_region(torch.zeros(count, 1, 8))
    return {"tokens": share.shape[0]}


def micro_batches(whole: int) -> dict[str, int]:
    """Split a batch into micro-batches of four on two data-parallel ranks."""
    calculator = ConstantNumMicroBatchesCalculator(whole, 4, 2, False, 0)  # noqa: FBT003
    return {"micro_batches": calculator.get()}
