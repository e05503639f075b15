"""Each format gives the same settings, with the places where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fixbook.config.check import check
from fixbook.config.read import parse
from fixbook.config.setting import UNKNOWN, Section


def sections(text: str, name: str) -> list[Section]:
    return parse(text, Path(name)).sections


def values(section: Section) -> dict[str, Any]:
    return {key: setting.value for key, setting in section.settings.items()}


SHELL = """\
#!/bin/bash
MODEL=any/model
N=${SAMPLES:-8}
EXTRA="--ds.zero_stage 3 --ds.adam_offload"
ARGS=(
    --vllm.num_engines 2   # a comment
    --rollout.n_samples_per_prompt $N
)
export NCCL_DEBUG=INFO
ray job submit --address=x \\
    --runtime-env-json='{"working_dir": ".", "env_vars": {"A": "1"}}' \\
    -- python3 -m openrlhf.cli.train_ppo_ray \\
    --actor.model_name_or_path "${MODEL}" --actor.adam.betas 0.9 0.95 \\
    --train.colocate_all ${EXTRA} "${ARGS[@]}" --ckpt.path $HOME/x > log.txt 2>&1
"""


def test_shell_script_with_variables_arrays_and_continuations() -> None:
    ray, openrlhf = sections(SHELL, "run.sh")
    assert ray.tool == "ray"
    assert values(ray)["runtime_env.env_vars.A"] == "1"
    assert values(ray)["env.NCCL_DEBUG"] == "INFO"
    assert (openrlhf.tool, openrlhf.schema.name) == ("openrlhf", "train_ppo_ray")
    assert values(openrlhf) == {
        "actor.model_name_or_path": "any/model",
        "actor.adam.betas": [0.9, 0.95],
        "train.colocate_all": True,
        "ds.zero_stage": 3,
        "ds.adam_offload": True,
        "vllm.num_engines": 2,
        "rollout.n_samples_per_prompt": 8,
        "ckpt.path": UNKNOWN,
    }
    assert openrlhf.settings["vllm.num_engines"].key_place.line == 6


def test_here_document() -> None:
    text = (
        "read -r -d '' cmd <<EOF\nopenrlhf.cli.train_sft \\\n   --data.max_len 2048\nEOF\n"
        "deepspeed --module $cmd\n"
    )
    section = sections(text, "run.sh")[0]
    assert section.schema.name == "train_sft"
    assert section.settings["data.max_len"].key_place.line == 3


def test_verl_overrides() -> None:
    text = (
        "DATA=(\n data.train_batch_size=16 actor_rollout_ref.actor.use_dynamic_bsz=True\n)\n"
        'python3 -m verl.trainer.main_ppo "${DATA[@]}" +data.mine=1 trainer.nnodes=$N\n'
    )
    section = sections(text, "run.sh")[0]
    assert section.tool == "verl"
    assert values(section) == {
        "data.train_batch_size": 16,
        "actor_rollout_ref.actor.use_dynamic_bsz": True,
        "data.mine": 1,
        "trainer.nnodes": UNKNOWN,
    }
    assert section.settings["data.mine"].added
    assert check([parse(text, Path("run.sh"))]).findings == []


def test_python_keywords_and_what_only_running_would_tell() -> None:
    text = (
        "from trl import SFTConfig as Config, GRPOConfig\n"
        "def f(n):\n"
        "    长 = 1; return GRPOConfig("
        "output_dir=n, num_generations=4, fsdp_config={'a': 1}, **more)\n"
    )
    section = sections(text, "train.py")[0]
    assert (section.tool, section.schema.name) == ("trl", "GRPOConfig")
    assert values(section) == {
        "output_dir": UNKNOWN,
        "num_generations": 4,
        "fsdp_config": {"a": 1},
        "fsdp_config.a": 1,
    }
    place = section.settings["num_generations"].key_place
    assert text[place.start : place.end] == "num_generations"
    assert place.line == 3


def test_class_of_the_same_name_from_elsewhere_is_not_ours() -> None:
    assert (
        sections("from mine import TrainingArguments\nTrainingArguments(a=1)\n", "train.py") == []
    )


def test_yaml_aliases_and_merge_keys() -> None:
    text = "base: &b {seed: 1}\nbase_model: x\nmodel_config: *b\nother:\n  <<: *b\n  lr: 1e-4\n"
    section = sections(text, "c.yaml")[0]
    found = values(section)
    assert found["model_config.seed"] == found["other.seed"] == 1
    assert found["other.lr"] == "1e-4"  # as PyYAML, which the tools use, reads it
    assert section.settings["other.seed"].inherited


def test_json_places() -> None:
    text = '{\n  "bf16": {"enabled": true},\n  "train_batch_size": 16\n}\n'
    section = sections(text, "ds.json")[0]
    setting = section.settings["bf16.enabled"]
    assert setting.value is True
    assert setting.value_place is not None
    assert text[setting.value_place.start : setting.value_place.end] == "true"
    assert (setting.key_place.line, setting.key_place.column) == (2, 12)


@pytest.mark.parametrize(
    ("text", "tool", "schema"),
    [
        ("base_model: a\nmicro_batch_size: 1\n", "axolotl", "axolotl"),
        (
            "model_name_or_path: a\nstage: sft\ntemplate: qwen\ncutoff_len: 1\n",
            "llamafactory",
            "llamafactory",
        ),
        (
            "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\n",
            "accelerate",
            "accelerate",
        ),
        ("output_dir: x\nlearning_rate: 1\n", "transformers", "TrainingArguments"),
        ("output_dir: x\nlearning_rate: 1\nnum_generations: 4\n", "trl", "GRPOConfig"),
        ("zero_optimization: {stage: 2}\ntrain_batch_size: auto\n", "deepspeed", "deepspeed"),
        ("colour: blue\n", "", ""),
    ],
)
def test_tool_is_told_by_its_keys(text: str, tool: str, schema: str) -> None:
    section = sections(text, "c.yaml")[0]
    assert (section.tool, section.schema.name) == (tool, schema)


def test_version_that_a_file_states() -> None:
    text = "# axolotl version: `0.5.2`\nbase_model: a\nmicro_batch_size: 1\n"
    assert sections(text, "c.yaml")[0].schema.version == "0.5.2"


def test_trainers_of_others_are_not_read(tmp_path: Path) -> None:
    ours = (
        "from transformers import Trainer\nTrainer(model, args, tokenizer=one)\n",
        "import accelerate\naccelerate.Accelerator(even_batches=False)\n",
    )
    others = (
        "import lightning as pl\npl.Trainer(gpus=2)\n",
        "from lightning import Trainer\nTrainer(gpus=2)\n",
        "import unsloth\nfrom trl import SFTTrainer\nSFTTrainer(m, packing=True)\n",
        "class Trainer: ...\nTrainer(gpus=2)\n",
        "from lightning.fabric.accelerators import Accelerator\nAccelerator(devices=2)\n",
        "from own.devices import *\nAccelerator(devices=2)\n",
        "def Accelerator(devices): ...\nAccelerator(devices=2)\n",
    )
    assert [_trainers(text, tmp_path) for text in ours] == [1, 1]
    assert [_trainers(text, tmp_path) for text in others] == [0] * len(others)


def test_calls_for_another_release_are_not_read(tmp_path: Path) -> None:
    imports = "from accelerate import Accelerator, __version__\n"
    old, new = "Accelerator(even_batches=False)", "Accelerator(project_dir='a')"
    choices = (
        f"if parse(__version__) < parse('1.0'):\n    {old}\nelse:\n    {new}\n",
        f"{old} if accelerate_version < '1.0' else {new}\n",
        f"try:\n    {old}\nexcept TypeError:\n    {new}\n",
    )
    assert [_trainers(imports + text, tmp_path) for text in choices] == [0, 0, 0]
    assert _trainers(f"{imports}if args.track:\n    {old}\nelse:\n    {new}\n", tmp_path) == 2


def _trainers(text: str, folder: Path) -> int:
    return sum(section.schema.constructs for section in parse(text, folder / "train.py").sections)
