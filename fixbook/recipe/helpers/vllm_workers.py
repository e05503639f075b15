"""vLLM's start as far as its KV cache, on workers that have the memory of cards and no cards.

Options, configuration, the engine's start and its checks are vLLM's own. To be imported by its
path: only recipes that have vLLM beside them use it. Call `know_llama` in the module that
``import_first`` names, so that steps are forked from a process that has vLLM loaded.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fixbook.recipe.author.steps import measure

GIB = 2**30
LLAMA_8B = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
}


def know_llama() -> None:
    """Load what a start needs, and name vLLM its class for Llama.

    Otherwise vLLM starts a process to look at the class.
    """
    import vllm.entrypoints.common.cli_args  # noqa: PLC0415
    import vllm.v1.engine.core  # noqa: F401, PLC0415
    from vllm.model_executor.models.llama import LlamaForCausalLM  # noqa: PLC0415
    from vllm.model_executor.models.registry import ModelRegistry  # noqa: PLC0415

    ModelRegistry.register_model("LlamaForCausalLM", LlamaForCausalLM)


def write_model(**changes: Any) -> None:
    """Write ``MODEL/config.json``, which is all that is read of the model.

    Args:
        **changes: What it has in place of the values of a Llama of 8 billion parameters.
    """
    Path("MODEL").mkdir(exist_ok=True)
    text = json.dumps({**LLAMA_8B, **changes})
    (Path("MODEL") / "config.json").write_text(text, "utf-8")


def asked(command: str) -> Any:
    """Return what ``vllm serve`` reads from its command line.

    Args:
        command: The line, as a shell would take it.
    """
    from vllm.entrypoints.common.cli_args import make_arg_parser  # noqa: PLC0415
    from vllm.utils.argparse_utils import FlexibleArgumentParser  # noqa: PLC0415

    _, _, *options = shlex.split(command, comments=True)
    parser = make_arg_parser(FlexibleArgumentParser("vllm serve"))
    read = parser.parse_args([*options, "--skip-tokenizer-init"])
    read.model = read.model_tag
    return read


def configured(command: str) -> Any:
    """Return the configuration that vLLM makes of a ``vllm serve`` command line, and checks.

    Args:
        command: The line, as a shell would take it.
    """
    from vllm.engine.arg_utils import AsyncEngineArgs  # noqa: PLC0415

    return AsyncEngineArgs.from_cli_args(asked(command)).create_engine_config()


def cache_tokens(config: Any, workers: type) -> int:
    """Start the engine as far as its KV cache; return how many tokens that holds.

    Args:
        config: What `configured` returned.
        workers: A class that is `CardsOnPaper` and vLLM's ``Executor``.
    """
    from vllm.v1.engine.core import EngineCore  # noqa: PLC0415

    engine = EngineCore.__new__(EngineCore)
    engine.model_executor = workers(config)
    engine._initialize_kv_caches(config)  # noqa: SLF001  (what its constructor calls next)
    tokens: int = config.cache_config.num_gpu_blocks * config.cache_config.block_size
    return tokens


class CardsOnPaper:
    """Tells the engine what workers on GPUs would; they hold nothing and compute nothing.

    A recipe makes them vLLM's, ``class Workers(CardsOnPaper, Executor)``, and sets what its cards
    and its model are. Each start measures ``available``: what a card has left for the KV cache.

    Attributes:
        total: The memory of each card, in GiB.
        free: What is free of it before the start, in GiB.
        weights: The weights of the whole model, in GiB.
        working: What a run at the limits takes of each card above the weights, in GiB.
    """

    total = 24.0
    free = 23.5
    weights = 15.0
    working = 1.5

    model_config: Any
    cache_config: Any
    parallel_config: Any

    def _init_executor(self) -> None:
        from vllm.v1.worker.utils import request_memory  # noqa: PLC0415

        memory = {"total_memory": int(self.total * GIB), "free_memory": int(self.free * GIB)}
        self.ranks = self.parallel_config.world_size
        card = SimpleNamespace(**memory, device_="cuda:0")
        self.requested = request_memory(card, self.cache_config)

    def determine_available_memory(self) -> list[int]:
        """Return the budget of each card less its part of the weights and its working memory."""
        taken = (self.weights / self.ranks + self.working) * GIB
        available = int(self.requested - taken)
        measure(available=available / GIB)
        return [available] * self.ranks

    def get_kv_cache_specs(self) -> list[dict[str, Any]]:
        """Return what each layer of a Llama stores, by vLLM's account of its configuration."""
        from vllm.utils.torch_utils import kv_cache_dtype_str_to_dtype  # noqa: PLC0415
        from vllm.v1.kv_cache_interface import FullAttentionSpec  # noqa: PLC0415

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
        from vllm.v1.kv_cache_interface import KVCacheLayout  # noqa: PLC0415

        return [[layout.name for layout in KVCacheLayout]] * self.ranks

    def collective_rpc(self, *_: Any, **__: Any) -> list[None]:
        """Tell the workers nothing."""
        return [None] * self.ranks

    def compile_or_warm_up_model(self) -> None:
        """Compute nothing."""

    def check_health(self) -> None:
        """Find them well."""
