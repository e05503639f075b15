"""What `vllm serve` does until the KV cache is there, for a model of 8 billion parameters."""

import json
import shlex
from pathlib import Path

from proof_vllm import Workers
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.utils.argparse_utils import FlexibleArgumentParser
from vllm.v1.engine.core import EngineCore

from fixbook.recipe import measure

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


def write() -> None:
    """Write the configuration of the model, which is all that is read of it."""
    Path("MODEL").mkdir(exist_ok=True)
    (Path("MODEL") / "config.json").write_text(json.dumps(LLAMA_8B), "utf-8")


def serve(command: str, weights: float) -> dict[str, float]:
    """Start the engine of this command line, with weights of so many GiB; return what it holds."""
    Workers.weights = weights * 2**30
    _, _, model, *options = shlex.split(command, comments=True)
    parser = AsyncEngineArgs.add_cli_args(FlexibleArgumentParser())
    asked = parser.parse_args(["--model", model, "--skip-tokenizer-init", *options])
    config = AsyncEngineArgs.from_cli_args(asked).create_engine_config()
    measure(utilization=config.cache_config.gpu_memory_utilization)
    engine = EngineCore.__new__(EngineCore)
    engine.model_executor = Workers(config)
    engine._initialize_kv_caches(config)  # what its constructor calls next
    length = config.model_config.max_model_len
    tokens = config.cache_config.num_gpu_blocks * config.cache_config.block_size
    return {"length": length, "tokens": tokens}
