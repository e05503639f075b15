"""What vLLM says of command lines: it makes, and checks, its configuration for a Llama.

python bench/seeded_servers.py    beside vLLM, with {"name": "command"} on standard input
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LLAMA = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 32768,
    "torch_dtype": "bfloat16",
}


def _vllm() -> Callable[[str], object]:
    """Return what makes vLLM's configuration of a command line."""
    parts = "entrypoints.common.cli_args", "utils.argparse_utils", "engine.arg_utils"
    options, parsing, engine = (importlib.import_module(f"vllm.{name}") for name in parts)
    llama = importlib.import_module("vllm.model_executor.models.llama").LlamaForCausalLM
    registry = importlib.import_module("vllm.model_executor.models.registry").ModelRegistry
    # Otherwise vLLM starts a process to look at the class.
    registry.register_model("LlamaForCausalLM", llama)
    Path("MODEL").mkdir()
    Path("MODEL", "config.json").write_text(json.dumps(_LLAMA), "utf-8")

    def configured(command: str) -> object:
        words = shlex.split(command)[2:]
        parser = options.make_arg_parser(parsing.FlexibleArgumentParser("vllm serve"))
        read = parser.parse_args([*words, "--skip-tokenizer-init"])
        options.validate_parsed_serve_args(read)
        options.validate_api_server_args(read)
        read.model = read.model_tag
        made: object = engine.AsyncEngineArgs.from_cli_args(read).create_engine_config()
        return made

    return configured


def main() -> None:
    """Answer."""
    given: dict[str, str] = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print while they are imported
    said: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        ask = _vllm()
        for name, command in given.items():
            err = io.StringIO()
            said[name] = []
            try:
                with contextlib.redirect_stderr(err):
                    ask(command)
            except SystemExit:
                said[name] = err.getvalue().strip().splitlines()[-1:]
            except Exception as error:  # noqa: BLE001  (the answer, whatever it is)
                lines = [line.strip() for line in str(error).splitlines() if line.strip()]
                said[name] = [f"{type(error).__name__}:", *lines[:4]]
    json.dump(said, answers)
    answers.close()


if __name__ == "__main__":
    main()
