"""A model that lies beside is held against the number of GPUs, as two entries prove it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.config.check import check
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from pathlib import Path

QWEN = {
    "architectures": ["Qwen2ForCausalLM"],
    "num_attention_heads": 64,
    "intermediate_size": 29568,
    "quantization_config": {"quant_method": "awq", "group_size": 128},
}
FP8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}


def entries(folder: Path, model: dict[str, Any], command: str) -> list[str | None]:
    (folder / "model").mkdir(exist_ok=True)
    (folder / "model" / "config.json").write_text(json.dumps(model), "utf-8")
    path = folder / "run.sh"
    path.write_text(f"{command}\n", "utf-8")
    return [item.entry for item in check([read_file(path)]).findings]


@pytest.mark.parametrize(
    ("changes", "size", "expected"),
    [
        ({}, 1, []),
        ({}, 2, ["vllm-quantized-weight-not-aligned"]),
        ({}, 3, ["vllm-heads-not-divisible"]),
        ({"intermediate_size": 29696}, 2, []),
        ({"quantization_config": {"quant_method": "gptq", "group_size": 64}}, 2, []),
        ({"quantization_config": {"quant_method": "gptq", "group_size": -1}}, 2, []),
        ({"quantization_config": None}, 2, []),
        ({"architectures": ["Other"]}, 2, []),
        ({"quantization_config": FP8, "intermediate_size": 13824}, 4, []),
        (
            {"quantization_config": FP8, "intermediate_size": 13824},
            8,
            ["vllm-quantized-weight-not-aligned"],
        ),
    ],
)
def test_sizes(tmp_path: Path, changes: dict[str, Any], size: int, expected: list[str]) -> None:
    for start in ("vllm serve ./model", "vllm serve --model model"):
        command = f"{start} --tensor-parallel-size {size}"
        assert entries(tmp_path, QWEN | changes, command) == expected


def test_nothing_is_said_of_what_is_not_known(tmp_path: Path) -> None:
    for command in (
        "vllm serve ./other --tensor-parallel-size 3",
        "vllm serve $MODEL --tensor-parallel-size 3",
        "vllm serve ./model --tensor-parallel-size $N",
        "docker run vllm/vllm-openai:v0.8.5 ./model --tensor-parallel-size 3",
    ):
        assert entries(tmp_path, QWEN, command) == []
