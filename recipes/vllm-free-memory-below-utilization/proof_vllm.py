"""vLLM, imported before the steps, and workers that have the memory of a card and no card."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from vllm.model_executor.models.llama import LlamaForCausalLM
from vllm.model_executor.models.registry import ModelRegistry
from vllm.utils.torch_utils import kv_cache_dtype_str_to_dtype
from vllm.v1.executor import Executor
from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheLayout
from vllm.v1.worker.utils import request_memory

from fixbook.recipe import measure

ModelRegistry.register_model("LlamaForCausalLM", LlamaForCausalLM)  # or a process looks it up

GIB = 2**30
TOTAL = 24 * GIB
WEIGHTS = 6 * GIB
WORKING = 1.5 * GIB  # what a run at the limits takes above the weights


class Workers(Executor):  # type: ignore[misc]
    """Tells the engine what workers on GPUs would; they hold nothing and compute nothing."""

    free = 0.0

    def _init_executor(self) -> None:
        self.ranks = self.parallel_config.world_size
        card = SimpleNamespace(total_memory=TOTAL, free_memory=int(self.free), device_="cuda:0")
        self.requested = request_memory(card, self.cache_config)

    def determine_available_memory(self) -> list[int]:
        """Return the budget of each card less its part of the weights and its working memory."""
        available = int(self.requested - WEIGHTS / self.ranks - WORKING)
        measure(available=available / GIB)
        return [available] * self.ranks

    def get_kv_cache_specs(self) -> list[dict[str, Any]]:
        """Return what each layer of a Llama stores, by vLLM's account of its configuration."""
        model, cache = self.model_config, self.cache_config
        layer = FullAttentionSpec(
            block_size=cache.block_size,
            num_kv_heads=model.get_num_kv_heads(self.parallel_config),
            head_size=model.get_head_size(),
            dtype=kv_cache_dtype_str_to_dtype(cache.cache_dtype, model),
        )
        count = model.get_num_layers(self.parallel_config)
        return [{f"layer {i}": layer for i in range(count)}] * self.ranks

    def get_supported_kv_cache_layouts(self) -> list[list[str]]:
        """Return every layout, for each worker."""
        return [[layout.name for layout in KVCacheLayout]] * self.ranks

    def collective_rpc(self, *_: Any, **__: Any) -> list[None]:
        """Tell the workers nothing."""
        return [None] * self.ranks

    def compile_or_warm_up_model(self) -> None:
        """Compute nothing."""

    def check_health(self) -> None:
        """Find them well."""
