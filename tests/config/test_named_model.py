"""A model that lies beside is held against the number of GPUs, as two entries prove it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.config.check import check
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.config.finding import Finding

QWEN = {
    "architectures": ["Qwen2ForCausalLM"],
    "num_attention_heads": 64,
    "intermediate_size": 29568,
    "quantization_config": {"quant_method": "awq", "group_size": 128},
}
FP8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}


def entries(folder: Path, model: dict[str, Any], command: str) -> list[str | None]:
    return [item.entry for item in told(folder, model, command)]


def rules_told(folder: Path, model: dict[str, Any], option: str) -> list[str]:
    return [item.rule for item in told(folder, model, f"vllm serve ./model {option}")]


def told(folder: Path, model: dict[str, Any], command: str) -> list[Finding]:
    (folder / "model").mkdir(exist_ok=True)
    (folder / "model" / "config.json").write_text(json.dumps(model), "utf-8")
    path = folder / "run.sh"
    path.write_text(f"{command}\n", "utf-8")
    return check([read_file(path)]).findings


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


LLAMA = {"architectures": ["LlamaForCausalLM"], "max_position_embeddings": 32768}


@pytest.mark.parametrize(
    ("changes", "option", "rule"),
    [
        ({}, "--max-model-len 32768", ""),
        ({}, "--max-model-len 40000", "longer-than-model"),
        ({}, "--max-model-len 64k", "longer-than-model"),
        ({}, "--max-model-len 32K", ""),
        ({}, "--max-model-len auto", ""),
        ({"rope_scaling": {"rope_type": "llama3"}}, "--max-model-len 40000", "longer-than-model"),
        ({"rope_scaling": {"rope_type": "linear", "factor": 2}}, "--max-model-len 40000", ""),
        ({"rope_parameters": {"full": {"factor": 2}}}, "--max-model-len 40000", ""),
        ({"model_max_length": 65536}, "--max-model-len 40000", ""),
        ({}, "--max-model-len 40000 --hf-overrides.max_position_embeddings 65536", ""),
        ({}, "--quantization awq", "model-not-quantized"),
        ({}, "--quantization fp8", ""),
        ({"quantization_config": {"quant_method": "awq"}}, "--quantization awq", ""),
    ],
)
def test_length_and_method(tmp_path: Path, changes: dict[str, Any], option: str, rule: str) -> None:
    assert rules_told(tmp_path, LLAMA | changes, option) == ([rule] if rule else [])


def test_a_longer_length_that_is_allowed(tmp_path: Path) -> None:
    option = "--max-model-len 40000\nexport VLLM_ALLOW_LONG_MAX_MODEL_LEN=1"
    assert rules_told(tmp_path, LLAMA, option) == []


def test_a_method_that_a_file_beside_says_more_of(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "quantize_config.json").write_text("{}", "utf-8")
    assert rules_told(tmp_path, LLAMA, "--quantization gptq") == []


def test_a_model_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    model = tmp_path / "models--team--model"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text("abc\n", "utf-8")
    (model / "snapshots" / "abc").mkdir(parents=True)
    (model / "snapshots" / "abc" / "config.json").write_text(json.dumps(LLAMA), "utf-8")
    path = tmp_path / "run.sh"
    path.write_text("vllm serve team/model --max-model-len 40000\n", "utf-8")
    assert [item.rule for item in check([read_file(path)]).findings] == ["longer-than-model"]
