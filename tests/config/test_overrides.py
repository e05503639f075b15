"""Overrides of verl's trainers: keys by release, keys that are added, programs that are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.pins import pin
from fixbook.config.read import parse, read_file
from fixbook.config.tools import schema_of
from tests.config.proofs_in_overlays import answers
from tests.config.test_false_alarms import found, told

PPO = "python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1"
SFT = "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_files=a.parquet"
OLD = "torchrun --nproc_per_node=8 -m verl.trainer.fsdp_sft_trainer data.train_files=a.parquet"


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ("model.path=a engine.strategy=fsdp2 optim.lr=1e-5 trainer.total_epochs=2", []),
        ("engine=megatron optim=megatron optim.lr_decay_style=cosine", []),
        ("+data.mine=1 ++trainer.nnodes=2 +trainer.default_hdfs_dir=a", []),
        ("trainer.logger=\"['console','wandb']\" +data.train_files=[a,b]", []),
        ("model.partial_pretrain=a", [("error", "model.partial_pretrain")]),
        ("data.micro_batch_size=4", [("error", "data.micro_batch_size")]),
        ("engine.strategyy=fsdp", [("error", "engine.strategyy")]),
        ("+trainer.nnodes=2", [("error", "trainer.nnodes")]),
        ("engine=megatron +trainer.nnodes=2", []),  # of other files than those known by default
        ("+trainer.nnodes=$NODES", []),
    ],
)
def test_overrides_of_the_trainer_of_sft(overrides: str, expected: list[tuple[str, str]]) -> None:
    assert told(f"{SFT} {overrides}\n", "run.sh") == expected


@pytest.mark.tools
def test_verl_itself_refuses_them_and_takes_the_others() -> None:
    cases = {
        "model.path=a engine.strategy=fsdp2 +data.mine=1 ++trainer.nnodes=2": "",
        "+trainer.default_hdfs_dir=a +data.train_files=[a,b]": "",
        "engine=megatron +trainer.nnodes=2": "Could not append to config",
        "model.partial_pretrain=a": "Could not override 'model.partial_pretrain'",
        "+trainer.nnodes=2": "Could not append to config. An item is already at 'trainer.nnodes'",
    }
    said = answers("verl", "sft", {text: text.split() for text in cases})
    for text, expected in cases.items():
        assert expected in said[text] if expected else said[text] == "accepted", text


def test_a_key_that_a_release_of_verl_has_already_is_not_added() -> None:
    (item,) = found(f"{PPO} +trainer.val_before_train=False\n", "run.sh")
    assert (item.severity, item.rule) == ("error", "key-added-twice")
    for more in ("--config-name=mine", "model_engine=megatron", '"$@"'):
        assert told(f"{PPO} +trainer.val_before_train=False {more}\n", "run.sh") == []


def test_a_program_that_verl_has_given_up_is_told(tmp_path: Path) -> None:
    text = f"{OLD} data.micro_batch_size_pergpu=1\n"
    unknown, gone = found(text, "run.sh")
    assert (gone.severity, gone.rule) == ("warning", "program-gone")
    assert "last seen in 0.6.1" in gone.message["en"]
    assert unknown.message["en"].startswith("verl 0.6.1 has no key")  # the last that has it
    script = tmp_path / "run.sh"
    script.write_text(text, "utf-8")
    expected = {
        "0.9.1": [("error", "program-gone")],
        "0.5.0": [("error", "unknown-key")],
        "0.6.1": [("error", "unknown-key")],
    }
    for release, reported in expected.items():
        (tmp_path / "requirements.txt").write_text(f"verl=={release}\n", "utf-8")
        document = read_file(script)
        pin(document)
        findings = check([document]).findings
        assert [(item.severity, item.rule) for item in findings] == reported, release
    (tmp_path / "requirements.txt").write_text("verl==0.5.0\n", "utf-8")
    script.write_text(f"{SFT}\n", "utf-8")
    document = read_file(script)
    pin(document)
    (item,) = check([document]).findings
    assert "it comes with 0.6.1" in item.message["en"]


def test_programs_of_others_that_are_called_like_verls_are_left_alone() -> None:
    for name in ("mine.fsdp_sft_trainer", "verl.trainer.fsdp_sft_trainer_for_memory"):
        assert told(f"torchrun -m {name} data.mine=1 trainer.total_epochs=1\n", "run.sh") == []
    assert told("torchrun -m my_verl.trainer.fsdp_sft_trainer data.mine=1\n", "run.sh") == []


def test_options_of_torchrun_before_verl_are_read() -> None:
    assert told(f"{SFT.replace('--nproc_per_node', '--nproc_per_nodes')}\n", "run.sh") == [
        ("error", "nproc_per_nodes")
    ]


def test_values_that_are_the_end_of_a_path_are_known_by_release() -> None:
    valid = schema_of("verl", "sft_trainer", "0.9.1").valid
    assert valid["trainer.nnodes"]["types"] == ["leaf"]
    assert "types" not in valid["trainer.default_hdfs_dir"]  # null by default
    assert "engine.override_ddp_config" in valid  # of another engine than the first
    assert parse(f"{SFT}\n", Path("run.sh")).sections[-1].schema.name == "sft_trainer"
