"""Commands of ms-swift: options by release, and names of data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.extract.tables import keys_of
from fixbook.config.pins import pin
from fixbook.config.read import parse, read_file
from fixbook.config.tools import schema_of
from tests.config.proofs_in_overlays import answers
from tests.config.test_false_alarms import found, told

START = "swift sft --model any/model --output_dir out --learning_rate 1e-4"
MANY = "'AI-ModelScope/alpaca#500' 'hf::org/name:default/en#1_000' data/mine.jsonl#20"


def test_options_are_read_from_the_sources() -> None:
    sources = {
        "swift/trainers/arguments.py": "class Mixin:\n    vit_lr: float = 0\n"
        "class Seq2SeqTrainingArguments(Mixin, Base):\n    pass\n",
        "swift/arguments/sft_args.py": "class SftArguments(Seq2SeqTrainingArguments):\n"
        "    tuner_type: str = 'lora'\n",
    }
    keys = keys_of("ms-swift", sources)
    assert set(keys) == {"ms-swift"}
    assert {"extends:transformers", "vit_lr", "tuner_type"} == set(keys["ms-swift"])


@pytest.mark.parametrize(
    "command",
    [
        "swift sft {}",
        "CUDA_VISIBLE_DEVICES=0 NPROC_PER_NODE=2 nohup swift pt {} > log 2>&1 &",
        "torchrun --nproc_per_node 2 swift/cli/sft.py {}",
        "python -m swift.cli.sft {}",
    ],
)
def test_commands_that_start_a_training(command: str) -> None:
    (section,) = [
        one
        for one in parse(command.format("--dataset a --lora_rank 8") + "\n", Path("r.sh")).sections
        if one.tool == "ms-swift"
    ]
    assert set(section.settings) == {"dataset", "lora_rank"}


def test_other_commands_are_none() -> None:
    for text in ("swift build -c release\n", "swift infer --adapters a --stream true\n"):
        assert parse(text, Path("run.sh")).sections == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (f"--tuner_type lora --dataset {MANY} --lora_rank 8 --deepspeed zero2", []),
        ("--per_device_train_batch_size 1 --warmup_ratio 0.05 --bf16 true --packing", []),
        ("--per_device_train_batch 1", []),  # the beginning of a name is enough
        ("--train_type lora", [("error", "train_type")]),
        ("--lora_ranks 8", [("error", "lora_ranks")]),
        ("--lora_ranks 8 --ignore_args_error true", [("note", "lora_ranks")]),
        ("--torch_dtype bf16", [("error", "torch_dtype")]),
        ("--lora_rank many", [("error", "lora_rank")]),
        ("--model_name 7 --lora_rank 8 --report_to 1", []),  # one word is enough for a list
        ("--dataset a#500 b#5k", [("error", "dataset")]),
        ("--dataset hf:org/name", [("warning", "dataset")]),
        ("--dataset kaggle::org/name", [("warning", "dataset")]),
        ("--dataset $DATA#$COUNT", []),
    ],
)
def test_options_of_a_training(options: str, expected: list[tuple[str, str]]) -> None:
    assert told(f"{START} {options}\n", "run.sh") == expected


def test_the_old_name_is_right_for_an_old_release(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"{START} --train_type lora\n", "utf-8")
    for release, rules in {"3.12.6": [], "4.6.0": ["ms-swift-renamed"]}.items():
        (tmp_path / "requirements.txt").write_text(f"ms-swift=={release}\n", "utf-8")
        document = read_file(script)
        pin(document)
        assert [item.rule for item in check([document]).findings] == rules


def test_a_checkout_of_ms_swift_is_judged_by_its_own_release(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("swift/version.py", "swift/cli/main.py", "examples/run.sh"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("__version__ = '3.12.6'\n", "utf-8")
    (tmp_path / "examples/run.sh").write_text(f"{START} --train_type lora\n", "utf-8")
    document = read_file(tmp_path / "examples/run.sh")
    pin(document)
    assert document.sections[0].schema.release == "3.12.6"
    assert check([document]).findings == []


def test_what_is_told_of_a_name_says_what_is_meant() -> None:
    (item,) = found(f"{START} --dataset hf:org/name\n", "run.sh")
    assert item.message["en"].endswith("lacks a colon; it is `hf::org/name`")


@pytest.mark.tools
def test_ms_swift_itself_has_these_options() -> None:
    for command, schema in (("sft", "ms-swift"), ("rlhf", "rlhf")):
        asked = set(answers("ms-swift", "keys", {"": [command]})[""]) - {"help"}
        assert asked - set(schema_of("ms-swift", schema).valid) == set()


@pytest.mark.tools
def test_ms_swift_itself_says_so() -> None:
    given = {
        "unknown": ["sft", "--lora_ranks", "8"],
        "dtype": ["sft", "--torch_dtype", "bf16"],
        "begun": ["sft", "--per_device_train_batch", "1"],
    }
    said = answers("ms-swift", "flags", given)
    assert "remaining_argv: ['--lora_ranks', '8']" in said["unknown"]
    assert "invalid choice: 'bf16'" in said["dtype"]
    assert said["begun"] == "accepted"
    names = {name: [name] for name in ("hf::a/b:c#5", "hf:a/b", "kaggle::a/b", "a#5k")}
    said = answers("ms-swift", "data", names)
    assert said["hf::a/b:c#5"] == "True|a/b|['c']"
    assert said["hf:a/b"] == "None|hf|['a', 'b']"  # in silence
    assert said["kaggle::a/b"] == "None|a/b|[]"  # in silence
    assert "invalid literal for int()" in said["a#5k"]
