"""Commands and files of ms-swift: what `fixbook fit` takes them for, beside its own parser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fixbook.config.read import parse
from fixbook.config.tools import schema_of
from fixbook.fit.plan import ALL_LINEAR, Adapter
from fixbook.fit.reading import CannotTellError, Reading
from fixbook.fit.tools import lines, read
from tests.config.proofs_in_overlays import answers
from tests.test_fit_command import MODEL

ROOT = Path(__file__).parents[1]
FILE = """\
ENV: {MAX_PIXELS: '50176'}
model: org/tiny
tuner_type: lora
torch_dtype: bfloat16
target_modules: [q_proj, v_proj]
lora_rank: 16
dataset: ['a#500', b]
max_length: 2048
per_device_train_batch_size: 2
learning_rate: 1e-4
gradient_checkpointing_kwargs: {use_reentrant: false}
quant_method: bnb
quant_bits: 4
"""
KWARGS = "'{\"use_reentrant\": false}'"
COMMAND = "CUDA_VISIBLE_DEVICES=0 swift sft --model org/tiny --dataset a --max_length 64"


def reading(text: str, name: str = "run.sh") -> Reading:
    return read(parse(text, Path(name)))


def of(options: str = "") -> dict[str, Any]:
    return reading(f"{COMMAND} {options}\n").plan


def test_a_file_is_read() -> None:
    found = reading(FILE, "sft.yaml")
    assert (found.tool, found.model) == ("ms-swift", "org/tiny")
    assert {key: found.plan[key] for key in ("batch", "length", "weights", "autocast")} == {
        "batch": 2,
        "length": 2048,
        "weights": "bfloat16",
        "autocast": "bfloat16",
    }
    assert found.plan["adapter"] == Adapter(16, ("q_proj", "v_proj"))
    assert (found.plan["quantized"], found.plan["double_quantized"]) == ("nf4", True)
    assert found.plan["checkpointing"] == "non-reentrant"
    assert found.plan["padded"]


def test_what_a_command_leaves_open() -> None:
    plan = of()
    assert (plan["batch"], plan["length"], plan["weights"]) == (1, 64, "auto")
    assert (plan["autocast"], plan["checkpointing"]) == ("auto", "reentrant")
    assert plan["adapter"] == Adapter(8, (ALL_LINEAR,))
    assert plan["accumulates"]


@pytest.mark.parametrize(
    ("options", "key", "expected"),
    [
        ("--tuner_type full", "adapter", None),
        ("--torch_dtype float32", "autocast", "float16"),
        ("--torch_dtype float32 --fp16 false", "autocast", ""),
        ("--torch_dtype float32 --bf16 true", "autocast", "bfloat16"),
        ("--torch_dtype bfloat16 --bf16 false", "autocast", ""),
        ("--gradient_checkpointing false", "checkpointing", ""),
        (f"--gradient_checkpointing_kwargs {KWARGS}", "checkpointing", "non-reentrant"),
        ("--use_liger_kernel true", "loss", "chunked"),
        ("--use_liger_kernel true --loss_scale react", "loss", "whole"),
        ("--use_liger_kernel true --loss_scale last_round", "loss", "chunked"),
        ("--packing true --attn_impl flash_attn --packing_length 512", "length", 512),
        ("--per_device_train_batch_size 4 --padding_free true --attn_impl fa2", "padded", False),
        ("--per_device_train_batch_size 16", "accumulates", False),
        ("--optim adamw_torch", "optimizer", "adamw"),
        ("--quant_method bnb --quant_bits 8", "quantized", "int8"),
        ("--attn_impl eager", "attention", "eager"),
    ],
)
def test_options_count(options: str, key: str, expected: Any) -> None:
    assert of(options)[key] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{COMMAND} --deepspeed zero2\n", "deepspeed"),
        (f"{COMMAND} --tuner_type adalora\n", "tuner_type adalora"),
        (f"{COMMAND} --task_type seq_cls\n", "task_type seq_cls"),
        (f"{COMMAND} --sequence_parallel_size 2\n", "sequence_parallel_size 2"),
        (f"{COMMAND} --optimizer muon\n", "optimizer muon"),
        (f"{COMMAND} --tuner_backend unsloth\n", "tuner_backend unsloth"),
        (f"{COMMAND} --quant_method hqq --quant_bits 4\n", "4 bits of hqq"),
        (f"{COMMAND} --target_modules all-linear all-embedding\n", "all-embedding"),
        (f"{COMMAND} --freeze_parameters_ratio 0.5\n", "freeze_parameters_ratio"),
        ("swift sft --model a --dataset b\n", "how long the longest sequence is"),
        ("swift rlhf --model a --dataset b --beta 0.1 --max_length 8\n", "swift rlhf"),
        ("swift rlhf --model a --rlhf_type grpo --max_length 8\n", "swift rlhf"),
    ],
)
def test_what_is_not_predicted_is_named(text: str, said: str) -> None:
    with pytest.raises(CannotTellError, match=said):
        reading(text)


def test_the_first_of_several_trainings() -> None:
    found = reading(f"{COMMAND} --lora_rank 4\n{COMMAND} --lora_rank 64\n")
    assert found.plan["adapter"].rank == 4
    assert "several trainings" in str(found.settings.notes[0])


@pytest.mark.parametrize(
    ("before", "count"),
    [
        ("NPROC_PER_NODE=4 ", 4),
        ("export NPROC_PER_NODE=2\n", 2),
        ("export CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2\n", 2),
        ("NPROC_PER_NODE=$N ", 1),
    ],
)
def test_several_processes_are_told_and_recompute_otherwise(before: str, count: int) -> None:
    found = reading(f"{before}{COMMAND}\n")
    assert found.settings.processes == count
    assert found.plan["checkpointing"] == ("reentrant" if count == 1 else "non-reentrant")
    assert any(f"starts {count} processes" in str(one) for one in found.settings.notes) == (
        count > 1
    )


def test_a_launcher_says_how_many_processes() -> None:
    options = "--output_dir a --learning_rate 1 --block_size 64 --model_name_or_path a"
    found = reading(f"torchrun --nproc_per_node 8 train.py {options}\n")
    assert (found.tool, found.settings.processes) == ("transformers", 8)


def test_changes_are_called_as_the_release_calls_them() -> None:
    assert lines(reading(f"{COMMAND}\n"), "lora") == {"tuner_type": "lora", "lora_rank": 16}
    old = parse(f"# ms-swift==3.8.3\n{COMMAND} --train_type full\n", Path("run.sh"))
    assert lines(read(old), "lora") == {"train_type": "lora", "lora_rank": 16}


def test_files_of_other_programs_are_none() -> None:
    others = "".join(f"own_{name}: 1\n" for name in ("model", "data", "loss", "rank"))
    for text in (f"model: a\ntuner_type: lora\n{others}", "tuner_type: lora\nlora_rank: 8\n"):
        assert [one.tool for one in parse(text, Path("c.yaml")).sections] == [""]
    asked = parse("model: a\nENV: {A: b}\n", Path("c.yaml"), "ms-swift").sections[0]
    assert (asked.schema.tool, set(asked.settings)) == (schema_of("ms-swift").tool, {"model"})


def test_libraries_keep_their_advice_to_themselves(tmp_path: Path) -> None:
    """bitsandbytes, which PEFT imports for a quantized model, tells of kernels for CPUs."""
    (tmp_path / "config.json").write_text(json.dumps(MODEL))
    (tmp_path / "sft.yaml").write_text(FILE)
    words = ["fit", str(tmp_path / "sft.yaml"), "--gpu", "24", "--model", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "fixbook", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.tools
def test_ms_swift_itself_takes_the_same(tmp_path: Path) -> None:
    (tmp_path / "sft.yaml").write_text(FILE)
    said = answers(
        "ms-swift",
        "values",
        {"none": ["sft"], "file": ["sft", str(tmp_path / "sft.yaml")]},
    )
    assumed = reading(f"{COMMAND} --quant_method bnb --quant_bits 4\n").settings.assumed
    later = {"gradient_accumulation_steps", "attn_impl", "use_logits_to_keep"}
    assert dict.fromkeys(later) == {key: said["none"][key] for key in later}
    assert {key: said["none"][key] for key in assumed.keys() - later} == {
        key: value for key, value in assumed.items() if key not in later
    }
    assert said["none"]["target_modules"] == ["all-linear"]
    assert said["file"]["left"] == []
    found = reading(FILE, "sft.yaml").plan
    assert said["file"]["target_modules"] == [*found["adapter"].targets]
    for ours, theirs in {"batch": "per_device_train_batch_size", "length": "max_length"}.items():
        assert found[ours] == said["file"][theirs]


@pytest.mark.tools
@pytest.mark.parametrize(("dtype", "batch"), [("bfloat16", 1), ("float32", 3), ("float16", 16)])
def test_ms_swift_itself_derives_the_same(dtype: str, batch: int) -> None:
    said = answers("ms-swift", "derived", {"": [dtype, str(batch)]})[""]
    found = reading(f"{COMMAND} --torch_dtype {dtype} --per_device_train_batch_size {batch}\n")
    mixed = {"fp16": "float16", "bf16": "bfloat16"}
    assert [name for key, name in mixed.items() if said[key]] == [found.plan["autocast"]]
    steps = found.settings.assumed["gradient_accumulation_steps"]
    assert steps == said["gradient_accumulation_steps"]
