"""`vllm serve` of a quantized Qwen2 as far as the layers whose weights it would load next."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import torch
from proof_vllm import build, rank_of

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.vllm_workers import configured, write_model

AWQ = {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True, "version": "gemm"}
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": False, "sym": True}
FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}
OF_72B = 29568
OF_14B = 13824


def write(checkpoint: dict[str, Any], size: int = OF_72B) -> None:
    """Write the configuration of a Qwen2 that was quantized so."""
    write_model(
        model_type="qwen2",
        architectures=["Qwen2ForCausalLM"],
        hidden_size=8192 if size > OF_14B else 5120,
        intermediate_size=size,
        num_attention_heads=64 if size > OF_14B else 40,
        max_position_embeddings=2048,
        quantization_config=checkpoint,
    )


def look(parallel: int) -> dict[str, Any]:
    """Ask the page's code which sizes fit."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        sizes = snippet("sizes")["sizes"]
    return {"found": parallel not in sizes, "said": said.getvalue().strip()}


def serve(command: str, checkpoint: dict[str, Any], size: int = OF_72B) -> dict[str, Any]:
    """Let vLLM check this command line and build a layer; return what it took."""
    write(checkpoint, size)
    config = configured(command)
    parallel = config.parallel_config
    measure(**look(parallel.tensor_parallel_size), option="--quantization" in command)
    measure(share=size / parallel.tensor_parallel_size, dtype=str(config.model_config.dtype))
    layer = build(config)
    return {"gpus": parallel.world_size, "of_a_card": layer.down_proj.input_size_per_partition}


def load_scales(command: str, checkpoint: dict[str, Any]) -> dict[str, Any]:
    """Let each of two ranks load the scales, of which each row says its number."""
    write(checkpoint)
    config = configured(command)
    taken: list[int] = []
    for rank in (0, 1):
        layer = build(config, rank).down_proj
        rows = torch.arange(OF_72B // checkpoint["group_size"], dtype=torch.float16)
        with rank_of(2, rank):
            layer.weight_loader_v2(layer.scales, rows[:, None].expand(-1, 8192).contiguous())
        taken += layer.scales[:, 0].int().tolist()
    lost = sorted(set(range(len(rows))) - set(taken))
    kernel = type(layer.quant_method.kernel).__name__
    return {"kernel": kernel, "lost": len(lost), "group": lost[0], "second": taken[115]}
