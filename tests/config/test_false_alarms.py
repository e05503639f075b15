"""Nothing is reported where it would be wrong; each is about examples that are known to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.config.check import check
from fixbook.config.read import parse, read_file

if TYPE_CHECKING:
    from fixbook.config.finding import Finding

AXOLOTL = "base_model: a/b\ndatasets:\n  - path: c\n    type: alpaca\nmicro_batch_size: 1\n"
TRAINER = "output_dir: x\nlearning_rate: 1.0e-4\nmax_steps: 10\nsave_steps: 5\n"
FLAGS = "--output_dir x --learning_rate 1e-4 --num_train_epochs 1 --eval_steps 10"
FEW = "--output_dir x --learning_rate 1e-4"
OWN_FLAGS = "--image_folder a --vision_tower b --lazy_preprocess true"


def found(text: str, name: str, tool: str = "", version: str | None = None) -> list[Finding]:
    return check([parse(text, Path(name), tool, version)]).findings


def told(text: str, name: str, tool: str = "", version: str | None = None) -> list[tuple[str, str]]:
    return [(item.severity, item.setting.key) for item in found(text, name, tool, version)]


def tools(text: str, name: str) -> list[str]:
    return [section.tool for section in parse(text, Path(name)).sections]


def test_vocabulary_is_no_configuration() -> None:
    words = ", ".join(f'"word{number}": {number}' for number in range(200))
    assert tools(f'{{"stage": 1, "template": 2, "optim": 3, {words}}}', "vocab.json") == [""]


def test_trainers_file_with_both_precisions_is_not_deepspeeds() -> None:
    assert tools(f"{TRAINER}fp16: true\nbf16: true\n", "c.yaml") == ["transformers"]
    assert told(f"{TRAINER}fp16: true\nbf16: true\n", "c.yaml") == [("error", "fp16")]


def test_settings_of_a_program_with_a_few_names_in_common() -> None:
    own = "".join(f"own_{name}: 1\n" for name in ("model", "data", "loss", "rank", "size", "mode"))
    assert tools(f"max_steps: 10\neval_steps: 5\n{own}", "c.yaml") == [""]


@pytest.mark.parametrize("key", ["tuner_type: lora", "rlhf_type: grpo"])
def test_program_that_hands_settings_on_to_trl(key: str) -> None:
    text = f"{TRAINER}{key}\nnum_generations: 1\neval_steps: 10\n"
    assert tools(text, "c.yaml") == [""]


@pytest.mark.parametrize("script", ["swift/cli/infer.py", "examples/run_clm_no_trainer.py"])
def test_script_without_the_trainers_arguments(script: str) -> None:
    assert tools(f"torchrun {script} {FLAGS} --warmup_ratio 0.1\n", "run.sh") == []


def test_defaults_of_a_script_are_not_known() -> None:
    # Its arguments may extend TrainingArguments and evaluate by default.
    assert told(f"torchrun train.py {FLAGS} {OWN_FLAGS}\n", "run.sh") == []
    assert told(f"torchrun run_clm.py {FLAGS}\n", "run.sh") == [("warning", "eval_steps")]


def test_what_a_call_takes_from_elsewhere_is_not_known() -> None:
    call = "TrainingArguments(output_dir='x', eval_steps=10{})\n"
    assert told(call.format(", **more"), "train.py") == []
    assert told(call.format(""), "train.py") == [("warning", "eval_steps")]


def test_old_name_that_a_script_may_declare_itself_is_a_note_without_mend() -> None:
    (item,) = found(f"torchrun train.py {FLAGS} {OWN_FLAGS} --warmup_ratio 0.1\n", "run.sh")
    assert (item.severity, item.setting.key, item.fix) == ("note", "warmup_ratio", [])
    assert item.text("en").endswith("; leave it if the program declares it itself")


def test_arguments_of_trls_scripts_are_no_unknown_keys() -> None:
    text = f"{TRAINER}max_length: 512\npacking: true\ndataset_config: main\n"
    assert told(text, "c.yaml") == []


def test_release_between_two_that_were_read_may_have_the_keys_of_both() -> None:
    flags = "--train.colocate_all --algo.advantage.is_correction_enable"
    text = f"python3 -m openrlhf.cli.train_ppo_ray {flags}\n"
    assert told(text, "run.sh", "openrlhf", "0.11.0") == []
    assert told(text, "run.sh") == [("error", "algo.advantage.is_correction_enable")]


def test_release_newer_than_any_known_may_have_new_keys() -> None:
    text = "model_name_or_path: a\nstage: sft\ntemplate: qwen\nbrand_new_switch: true\n"
    (item,) = found(text, "c.yaml", "llamafactory", "99.0")
    assert item.severity == "note"
    assert "the newest release known here" in item.text("en")
    assert told(text, "c.yaml") == [("error", "brand_new_switch")]


def test_release_older_than_any_known_may_have_had_other_keys() -> None:
    text = "from accelerate import Accelerator\nAccelerator(logging_dir='a')\n"
    (item,) = found(text, "train.py", "accelerate", "0.19.0")
    assert (item.severity, item.fix) == ("note", [])
    assert "the oldest release known here" in item.text("en")
    assert told(text, "train.py", "accelerate", "0.20.0") == [("error", "logging_dir")]


def test_argument_that_moved_is_told_whatever_it_is_given() -> None:
    text = "from accelerate import Accelerator\nAccelerator({})\n"
    for given in ("dispatch_batches=None", "dispatch_batches=args.dispatch_batches"):
        (item,) = found(text.format(given), "train.py")
        assert (item.rule, item.fix) == ("accelerate-options-moved", [])


def test_key_that_is_dropped_in_silence_does_not_fail() -> None:
    assert told(f"{AXOLOTL}sample_packng: true\n", "c.yaml") == [("warning", "sample_packng")]


def test_old_name_says_which_release_had_it_last() -> None:
    (item,) = found("SFTConfig(max_seq_length=1024)\n", "train.py")
    assert item.text("en").endswith("is called `max_length` now (last seen in trl 0.19.1)")


def test_removed_feature_is_named_with_the_release() -> None:
    text = '{"train_batch_size": 8, "fp16": {"enabled": true}, "sparse_attention": {}}'
    (item,) = found(text, "ds.json")
    assert (
        item.text("en")
        == "`sparse_attention` belongs to a feature that DeepSpeed 0.19.8 has removed"
    )
    assert found(text, "ds.json", "deepspeed", "0.18.8") == []


def test_slip_beside_a_scripts_arguments_is_told_and_left() -> None:
    text = f"{TRAINER}dataset_name: a\ndataset_nane: b\ngradient_chekpointing: true\nown: 1\n"
    assert told(text, "c.yaml") == [("warning", "gradient_chekpointing")]
    assert not any(item.fix for item in found(text, "c.yaml"))
    command = f"torchrun train.py {FLAGS} --gradient_chekpointing\n"
    assert ("note", "gradient_chekpointing") in told(command, "run.sh")
    assert (
        told(f"torchrun run_clm.py {FLAGS} --eval_strategy steps --image_folder a\n", "run.sh")
        == []
    )


def test_beginning_of_a_flag_that_the_parser_completes_is_no_mistake() -> None:
    command = "torchrun run_clm.py --output_dir x --learning_rate 1e-4 --num_train_epoch{} 1\n"
    assert told(command.format(""), "run.sh") == []
    command = "python3 -m openrlhf.cli.train_sft --train.max_epoch{} 1\n"
    assert told(command.format(""), "run.sh") == []
    assert told(command.format("z"), "run.sh") == [("error", "train.max_epochz")]


def test_openrlhf_takes_no_hyphens_for_underscores() -> None:
    command = "python3 -m openrlhf.cli.train_sft --ds.zero-stage 2\n"
    assert told(command, "run.sh") == [("error", "ds.zero-stage")]
    trainer = f"torchrun run_clm.py {FLAGS} --eval-strategy steps\n"
    assert told(trainer, "run.sh") == []


def test_what_a_class_inherits_is_there_before_it_declares_it_anew() -> None:
    # TRL's classes of 0.19 and later declare these again, with defaults of their own.
    call = "SFTConfig(output_dir='x', bf16=True, logging_steps=1, learning_rate=2e-4)\n"
    assert told(call, "train.py", "trl", "0.11.4") == []


def test_an_old_trl_works_with_an_old_transformers() -> None:
    assert told(f"{TRAINER}packing: true\nevaluation_strategy: 'no'\n", "c.yaml") != []
    text = f"{TRAINER}packing: true\nevaluation_strategy: 'no'\n"
    assert told(text, "c.yaml", "trl", "0.11.4") == []


def test_data_sets_by_name_are_not_axolotls() -> None:
    assert tools("datasets:\n  aok_vqa:\n    data_type: images\n", "defaults.yaml") == [""]
    assert tools("datasets:\n  - path: a/b\n    type: alpaca\n", "c.yaml") == ["axolotl"]


def test_a_backslash_at_the_end_of_a_file_is_no_word() -> None:
    assert told(f"torchrun train.py {FEW} --seed 0 \\", "run.sh") == []


def test_a_value_that_is_left_open_is_not_known() -> None:
    text = f"lr=...\ntorchrun train.py {FEW} --weight_decay $lr --seed '<seed>'\n"
    assert told(text, "run.sh") == []


def test_arithmetic_within_arithmetic_is_one_value() -> None:
    steps = "$((64 / $(($GPUS * ${NODES:-1})) / 2))"
    text = f"STEPS={steps}\ntorchrun train.py {FEW} --gradient_accumulation_steps $STEPS\n"
    assert told(text, "run.sh") == []


def test_a_variable_that_branches_set_differently_is_not_known() -> None:
    flags = f"torchrun train.py {FEW} ${{more}}\n"
    branches = 'if [ $1 = a ]; then\n more="--seed 1"\nelse\n more="--optim dummy"\nfi\n'
    assert told(branches + flags, "run.sh") == []
    added = 'more="--seed 1"\nmore+=" --optim dummy"\n'
    assert told(added + flags, "run.sh") == [("error", "optim")]


def test_a_program_that_was_built_on_verl_checks_less() -> None:
    flags = "data.train_batch_size=8 actor_rollout_ref.actor.ppo_mini_batch_size=128"
    rule = "actor_rollout_ref.actor.ppo_mini_batch_size"
    micro = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2"
    own = f"python -m verl.experimental.vla.main_ppo {flags} {micro}\n"
    assert [item for item in told(own, "run.sh") if item[1] == rule] == [("warning", rule)]
    text = f"python -m verl.trainer.main_ppo {flags} {micro}\n"
    assert ("error", rule) in told(text, "run.sh")


def test_the_entry_point_of_verl_may_be_the_value_of_an_option() -> None:
    assert told("python3 patch.py --target verl/experimental/main_ppo.py\n", "run.sh") == []


def test_a_folded_text_is_one_command() -> None:
    text = "server: >\n  vllm serve model\n      --port 1\n      --max-model-len 32\n"
    assert told(text, "run.yaml") == []
    assert told(text.replace("32", "long"), "run.yaml") == [("error", "max_model_len")]


def test_what_a_template_fills_in() -> None:
    text = "command: |\n  vllm serve {model} \\\n    --port {port} --max-model-len {length}\n"
    assert told(text, "run.yaml") == []


def test_unsloth_keeps_a_name_that_trl_gave_up() -> None:
    text = "from trl import SFTConfig\n\nargs = SFTConfig(output_dir='out', max_seq_length=1)\n"
    assert [severity for severity, _ in told(text, "train.py")] == ["error"]
    assert told(f"from unsloth import FastLanguageModel\n{text}", "train.py") == []


def test_a_name_that_the_program_beside_reads(tmp_path: Path) -> None:
    path = tmp_path / "train.json"
    keys = {"per_device_train_batch_size": 1, "gradient_accumulation_steps": 1, "learning_rate": 1}
    path.write_text(json.dumps({**keys, "max_seq_length": 8}), "utf-8")

    def errors() -> list[str]:
        found = check([read_file(path)]).findings
        return [item.setting.key for item in found if item.severity == "error"]

    assert errors() == ["max_seq_length"]
    (tmp_path / "train.py").write_text("length = config['max_seq_length']\n", "utf-8")
    assert errors() == []


def test_a_quantization_of_a_plugin() -> None:
    assert told("vllm serve Qwen/Qwen3-8B --quantization ascend\n", "run.sh") == []


def test_a_short_name_of_a_dtype() -> None:
    text = f"{TRAINER}packing: true\nmax_length: 8\ndtype: {{}}\n"
    for name, expected in (("bf16", ["dtype"]), ("bfloat16", []), ("auto", []), ("${T}", [])):
        keys = [key for _, key in told(text.format(name), "sft.yaml")]
        assert [key for key in keys if key == "dtype"] == expected


def test_of_a_class_that_is_gone_no_key_is_told() -> None:
    text = "from trl import PPOConfig\nconfig = PPOConfig(steps=1, ppo_epochs=2)\n"
    assert [item for item in found(text, "ppo.py") if item.rule == "unknown-key"] == []
