"""`vllm serve` as far as its configuration, for a model of 28 attention heads on 8 GPUs."""

import json
import shlex
from pathlib import Path

from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.utils.argparse_utils import FlexibleArgumentParser

SEVEN_B = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "max_position_embeddings": 32768,
    "torch_dtype": "bfloat16",
}


def write() -> None:
    """Write the configuration of the model, which is all that is read of it."""
    Path("MODEL").mkdir(exist_ok=True)
    (Path("MODEL") / "config.json").write_text(json.dumps(SEVEN_B), "utf-8")


def serve(command: str) -> dict[str, int]:
    """Let vLLM check the configuration of this command line; return how many GPUs it is for."""
    _, _, model, *options = shlex.split(command, comments=True)
    parser = AsyncEngineArgs.add_cli_args(FlexibleArgumentParser())
    asked = parser.parse_args(["--model", model, "--skip-tokenizer-init", *options])
    parallel = AsyncEngineArgs.from_cli_args(asked).create_engine_config().parallel_config
    return {
        "tensor": parallel.tensor_parallel_size,
        "pipeline": parallel.pipeline_parallel_size,
        "gpus": parallel.world_size,
    }
