"""Whole files as they lie in repositories, of which earlier checks said what was wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from fixbook.config.check import check
from fixbook.config.read import parse

CLUSTER = """\
compute_environment: LOCAL_MACHINE
debug:
distributed_type: {kind}
downcast_bf16: no
{section}
gpu_ids:
machine_rank: 0
main_training_function: main
mixed_precision: bf16
num_machines: 1
num_processes: 8
rdzv_backend: static
same_network: true
tpu_env: []
use_cpu: false
"""
FSDP = """\
fsdp_config:
  auto_wrap_policy: TRANSFORMER_BASED_WRAP
  sharding_strategy: FULL_SHARD
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
  fsdp_offload_params: false"""
DEEPSPEED = """\
deepspeed_config:
  gradient_accumulation_steps: auto
  gradient_clipping: auto
  offload_optimizer_device: none
  zero3_init_flag: true
  zero_stage: 3"""
RECORD = """\
wandb_version: 1

_wandb:
  desc: null
  value:
    cli_version: 0.16.0
    python_version: 3.10.12
bf16:
  desc: null
  value: true
evaluation_strategy:
  desc: null
  value: 'no'
fp16:
  desc: null
  value: false
learning_rate:
  desc: null
  value: 2.0e-05
output_dir:
  desc: null
  value: out
per_device_train_batch_size:
  desc: null
  value: 8
"""
GRPO = """\
# Model arguments
model_name_or_path: Qwen/Qwen2.5-1.5B-Instruct
model_revision: main
dtype: bfloat16
attn_implementation: flash_attention_2

# Data training arguments
dataset_name: open-r1/OpenR1-Math-220k
dataset_prompt_column: problem
system_prompt: "You are a helpful assistant."

# GRPO trainer config
bf16: true
use_vllm: true
do_eval: false
gradient_accumulation_steps: 4
gradient_checkpointing: true
hub_model_revision: main
learning_rate: 2.0e-05
log_level: info
max_completion_length: 2048
num_generations: 16
output_dir: data/grpo
per_device_train_batch_size: 16
reward_funcs:
- accuracy
- tag_count
cosine_max_len: 1000
reward_weights:
- 1.0
- 1.0
save_strategy: epoch
seed: 42
wandb_entity: me
wandb_project: grpo
"""
AXOLOTL = """\
base_model: NousResearch/Llama-3.2-1B
load_in_8bit:
datasets:
  - path: mhenrichsen/alpaca_2k_test
    type: alpaca
val_set_size: 0.05
output_dir: ./out
adapter:
lora_r:
lora_target_modules:
wandb_project:
gradient_accumulation_steps: 1
micro_batch_size: 1
num_epochs: 1
early_stopping_patience:
resume_from_checkpoint:
local_rank:
debug:
deepspeed:
fsdp:
fsdp_config:
special_tokens:
"""


def told(text: str) -> list[tuple[str, str]]:
    found = check([parse(text, Path("config.yaml"))]).findings
    return [(item.severity, item.setting.key) for item in found]


@pytest.mark.parametrize("text", [RECORD, RECORD.replace("  desc: null\n", "")])
def test_what_wandb_keeps_of_a_run_is_no_configuration(text: str) -> None:
    document = parse(text, Path("wandb/run-20240101_120000-ab12/files/config.yaml"))
    assert [section.tool for section in document.sections] == [""]
    assert check([document]).findings == []


def test_setting_that_is_a_value_and_a_description_is_no_record() -> None:
    text = "output_dir: x\nlearning_rate: 1.0e-4\nmax_steps: 10\nseed: {value: 1}\n"
    assert [section.tool for section in parse(text, Path("c.yaml")).sections] == ["transformers"]


@pytest.mark.parametrize(
    ("kind", "section"), [("NO", ""), ("FSDP", FSDP), ("DEEPSPEED", DEEPSPEED)]
)
def test_files_that_accelerate_takes(kind: str, section: str) -> None:
    assert told(CLUSTER.format(kind=kind, section=section)) == []


def test_mistakes_beside_them_are_told() -> None:
    wrong = FSDP.replace("auto_wrap_policy", "auto_wrap_polcy")
    text = CLUSTER.format(kind="FSDP", section=wrong)
    assert told(text) == [("warning", "fsdp_config.auto_wrap_polcy")]
    text = CLUSTER.format(kind="DEEPSPEED", section=DEEPSPEED.replace("stage: 3", "stage: three"))
    assert told(text) == [("error", "deepspeed_config.zero_stage")]
    assert told(CLUSTER.format(kind="yes", section="")) == []  # not told: a boolean for `no`


def test_keys_of_a_class_that_extends_trls_are_left_alone() -> None:
    assert told(GRPO) == []


def test_key_without_a_value_that_is_dropped_loses_nothing() -> None:
    assert told(AXOLOTL) == []
    assert told(AXOLOTL.replace("debug:", "debug: true")) == [("warning", "debug")]


def test_key_without_a_value_that_is_refused_is_an_error() -> None:
    text = "model_name_or_path: a\nstage: sft\ntemplate: qwen\nbrand_new_switch:\n"
    assert told(text) == [("error", "brand_new_switch")]


@pytest.mark.tools
def test_accelerate_itself_takes_names_without_their_prefix(tmp_path: Path) -> None:
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser

    def arguments(section: str, kind: str) -> Any:
        path = tmp_path / "config.yaml"
        path.write_text(CLUSTER.format(kind=kind, section=section), "utf-8")
        assert yaml.safe_load(path.read_text("utf-8"))
        parsed = launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
        return _validate_launch_command(parsed)[0]

    parsed = arguments(FSDP, "FSDP")
    assert parsed.fsdp_auto_wrap_policy == "TRANSFORMER_BASED_WRAP"
    assert parsed.fsdp_transformer_layer_cls_to_wrap == "LlamaDecoderLayer"
    assert not arguments("", "NO").use_fsdp
    assert arguments(DEEPSPEED, "DEEPSPEED").gradient_clipping == "auto"
