"""What `fixbook fit` reads and says, and what it refuses with a sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.cli import cli, run_command

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("peft")

MODEL = {
    "model_type": "llama",
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "torch_dtype": "bfloat16",
}
AXOLOTL = """\
base_model: org/tiny
datasets: [{path: data.jsonl, type: alpaca}]
adapter: lora
lora_r: 8
lora_target_linear: true
sequence_len: 256
micro_batch_size: 4
gradient_accumulation_steps: 1
optimizer: adamw_torch
bf16: true
flash_attention: true
"""
FACTORY = """\
model_name_or_path: org/tiny
stage: sft
do_train: true
finetuning_type: lora
lora_target: all
dataset: alpaca
template: qwen
cutoff_len: 256
per_device_train_batch_size: 2
output_dir: out
bf16: true
"""
TRL = """\
model_name_or_path: org/tiny
dataset_name: trl-lib/Capybara
max_length: 256
per_device_train_batch_size: 2
use_peft: true
output_dir: out
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a model; no cache of the Hub has another."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny/config.json").write_text(json.dumps(MODEL))
    return tmp_path


def fit(
    capsys: pytest.CaptureFixture[str], folder: Path, text: str, *more: str
) -> tuple[int, str, str]:
    path = folder / "train.yaml"
    path.write_text(text)
    capsys.readouterr()
    asked = ["fit", str(path), "--gpu", "24", "--model", str(folder / "tiny"), *more]
    code = run_command(cli, asked)
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return code, said.out, said.err


@pytest.mark.parametrize(
    ("text", "tool", "size", "length"),
    [(AXOLOTL, "axolotl", 4, 256), (FACTORY, "llamafactory", 2, 256), (TRL, "trl", 2, 256)],
)
def test_each_tool_is_read_and_predicted(
    text: str, tool: str, size: int, length: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _err = fit(capsys, folder, text, "--json")
    row: dict[str, Any] = json.loads(out)
    assert (code, row["verdict"], row["tool"]) == (0, "fits", tool)
    assert (row["batch"], row["length"]) == (size, length)
    peak = sum(row["phases"][row["peak"]].values())
    assert peak == row["allocated"] == max(sum(one.values()) for one in row["phases"].values())
    assert row["reserved"][0] >= row["allocated"]
    assert row["per_100_tokens"] > 0
    helping = [one["allocated"] for one in row["changes"] if one["allocated"]]
    assert min(helping) < row["allocated"]


def test_settings_of_a_change_are_those_of_the_tool(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _code, out, _err = fit(capsys, folder, AXOLOTL, "--json", "--pairs")
    changes = {tuple(one["changes"]): one for one in json.loads(out)["changes"]}
    assert changes["checkpointing",]["settings"] == [{"gradient_checkpointing": True}]
    halved = {"micro_batch_size": 2, "gradient_accumulation_steps": 2}
    assert changes["batch",]["settings"] == [halved]
    assert changes["length",]["settings"] == [{"sequence_len": 128}]
    both = changes["checkpointing", "batch"]
    assert both["allocated"] < changes["batch",]["allocated"]


@pytest.mark.parametrize(("lang", "word"), [("en", "backward pass"), ("zh", "反向")])
def test_text_names_phases_prices_and_assumptions(
    lang: str, word: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _err = fit(capsys, folder, AXOLOTL, "--lang", lang, "--batch", "8")
    assert code == 0
    assert word in out
    assert "gradient_checkpointing: true" in out
    assert "max_grad_norm" in out
    assert "█" in out or "←" in out


def test_a_run_that_does_not_fit_ends_with_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    large = MODEL | {"hidden_size": 16384, "intermediate_size": 57344}
    heads = {"num_attention_heads": 128, "num_key_value_heads": 8, "num_hidden_layers": 4}
    (folder / "tiny/config.json").write_text(json.dumps(large | heads))
    code, out, _err = fit(capsys, folder, AXOLOTL)
    assert code == 1
    assert "does not fit" in out


@pytest.mark.parametrize(
    ("text", "config", "code", "said"),
    [
        ("a: [", json.dumps(MODEL), 2, "train.yaml"),
        ("name: nothing\n", json.dumps(MODEL), 3, "not recognised"),
        (AXOLOTL, "{", 2, "config.json"),
        (AXOLOTL, "[1]", 3, "model_type"),
        (AXOLOTL, json.dumps({"model_type": "none_such"}), 3, "none_such"),
        (AXOLOTL, json.dumps(MODEL | {"vision_config": {}}), 3, "images or sound"),
        (AXOLOTL, json.dumps(MODEL | {"auto_map": {"AutoModel": "a.B"}}), 3, "auto_map"),
        (AXOLOTL, json.dumps(MODEL | {"hidden_size": 2**40}), 3, "no model is so large"),
        (AXOLOTL, json.dumps(MODEL | {"hidden_size": "wide"}), 3, "cannot tell"),
        (AXOLOTL + "torch_compile: true\n", json.dumps(MODEL), 3, "torch_compile"),
        (AXOLOTL + "deepspeed: zero3.json\n", json.dumps(MODEL), 3, "deepspeed"),
        (AXOLOTL.replace("4\n", "four\n", 1), json.dumps(MODEL), 3, "micro_batch_size"),
        (AXOLOTL.replace("adamw_torch", "lion_8bit"), json.dumps(MODEL), 3, "lion_8bit"),
    ],
)
def test_what_cannot_be_told_is_said(
    text: str,
    config: str,
    code: int,
    said: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "tiny/config.json").write_text(config)
    found, out, err = fit(capsys, folder, text)
    assert (found, out) == (code, "")
    assert said in err


def test_a_model_that_is_not_here_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _out, err = fit(capsys, folder, AXOLOTL, "--model", "org/none")
    assert code == 3
    assert "hf download org/none config.json" in err
