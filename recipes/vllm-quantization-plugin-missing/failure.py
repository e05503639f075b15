"""`vllm serve` as far as its configuration, for weights that bitsandbytes or GGUF quantised."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import proof_vllm  # noqa: F401

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_workers import configured, write_model

FOUR_BITS = {
    "quant_method": "bitsandbytes",
    "load_in_4bit": True,
    "bnb_4bit_quant_type": "nf4",
    "bnb_4bit_compute_dtype": "bfloat16",
}


def write_four_bits(*, bitsandbytes: bool = False) -> None:
    """Write what vLLM reads of a checkpoint in four bits; bitsandbytes can be there or not."""
    write_model(max_position_embeddings=2048, quantization_config=FOUR_BITS)
    if not bitsandbytes:
        sys.modules["bitsandbytes"] = None  # type: ignore[assignment]
    measure(bitsandbytes=bitsandbytes and importlib.util.find_spec("bitsandbytes") is not None)


def write_gguf() -> None:
    """Write a file of GGUF, of which no more than the beginning is read."""
    Path("model.gguf").write_bytes(b"GGUF")


def satisfied(lines: str) -> None:
    """Run the lines where all that they install is there already: pip is offered no index."""
    places = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    places |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    subprocess.run(["bash", "-ec", lines], env=os.environ | places | offline, check=True)


def serve(command: str) -> dict[str, str]:
    """Let vLLM check the command line; return how it would load the weights."""
    plugins = {point.name for point in entry_points(group="vllm.general_plugins")}
    measure(plugin="bitsandbytes" in plugins, load_format="--load-format" in command)
    config = configured(command)
    method = config.model_config.quantization
    return {"method": str(method), "loads": str(config.load_config.load_format)}
