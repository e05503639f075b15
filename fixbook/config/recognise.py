"""Tell which tool a configuration is for, and for which version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.errors import ConfigError
from fixbook.config.tables import TOOLS, keys

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from fixbook.config.setting import Document, Section


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Keys that only one tool has; the more of them, the surer.
_MARKS: dict[str, frozenset[str]] = {
    "axolotl": _words(
        "base_model micro_batch_size sequence_len datasets sample_packing adapter val_set_size"
        " num_epochs"
        " dataset_prepared_path pad_to_sequence_len load_in_4bit flash_attention wandb_project"
        " special_tokens chat_template rl evals_per_epoch saves_per_epoch"
    ),
    "deepspeed": _words(
        "zero_optimization train_micro_batch_size_per_gpu train_batch_size steps_per_print"
        " gradient_clipping wall_clock_breakdown zero_allow_untested_optimizer prescale_gradients"
        " zero_optimisation activation_checkpointing comms_logger fp16 bf16"
    ),
    "accelerate": _words(
        "compute_environment distributed_type main_training_function machine_rank num_machines"
        " rdzv_backend same_network downcast_bf16 num_processes main_process_port tpu_env"
        " dynamo_config deepspeed_config"
    ),
    "llamafactory": _words(
        "stage finetuning_type template cutoff_len dataset_dir model_name_or_path lora_target"
        " preprocessing_num_workers adapter_name_or_path export_dir infer_backend do_train"
        " plot_loss overwrite_cache quantization_bit lora_rank"
    ),
    "verl": _words("actor_rollout_ref critic reward_model algorithm trainer data"),
}
# Without one of these a file is not the tool's, whatever else it says.
_NEEDED: dict[str, frozenset[str]] = {
    "llamafactory": _words("stage finetuning_type template cutoff_len dataset_dir"),
    "verl": frozenset({"actor_rollout_ref"}),
}
# With one of these, others read the file too, and keys that are not the tool's are theirs.
_OPEN: dict[str, frozenset[str]] = {
    "llamafactory": _words(
        "tensor_model_parallel_size pipeline_model_parallel_size export_hf_on_finish"
    ),
    "verl": frozenset({"defaults", "hydra"}),
}
_TRAINER_MARKS = _words(
    "output_dir per_device_train_batch_size learning_rate num_train_epochs max_steps logging_steps"
    " save_strategy eval_strategy evaluation_strategy warmup_ratio lr_scheduler_type report_to"
    " gradient_checkpointing bf16 fp16 save_steps optim seed"
)
_TRL_MARKS = {
    "GRPOConfig": {
        "num_generations",
        "max_completion_length",
        "use_vllm",
        "epsilon",
        "reward_weights",
    },
    "SFTConfig": {
        "packing",
        "max_length",
        "max_seq_length",
        "dataset_text_field",
        "completion_only_loss",
    },
    "DPOConfig": {"beta", "loss_type", "precompute_ref_log_probs", "max_prompt_length"},
}
# Arguments of a training script, which reads the file together with the trainer's own: those of
# TRL's scripts, and of the examples of transformers.
_SCRIPT = _words(
    "model_name_or_path model_revision torch_dtype dtype model args cutoff_len chat_template"
    " trust_remote_code attn_implementation config_name tokenizer_name cache_dir use_fast_tokenizer"
    " use_peft lora_r lora_alpha lora_dropout lora_target_modules lora_target_parameters"
    " lora_modules_to_save lora_task_type use_rslora use_dora load_in_8bit load_in_4bit"
    " bnb_4bit_quant_type use_bnb_nested_quant bnb_4bit_quant_storage"
    " dataset_name dataset_config dataset_config_name dataset_mixture dataset_configs datasets"
    " dataset_train_split dataset_test_split dataset_streaming ignore_bias_buffers"
    " train_file validation_file test_file max_train_samples max_eval_samples"
    " preprocessing_num_workers overwrite_cache block_size"
)
# Arguments of programs that are not known here. They hand some of them on to a trainer, under the
# same names, but with defaults and checks of their own.
_OTHERS = _words("tuner_type train_type rlhf_type sft_type")
_STATED = re.compile(
    r"(?i)\b(axolotl|deepspeed|accelerate|transformers|trl|llamafactory)"
    r"(?:[ _]version:? *`?|==|@)v?(\d+(?:\.\d+)+)"
)
_ENOUGH = 2


def recognise(document: Document, tool: str = "", version: str | None = None) -> None:
    """Fill in the tool, schema and version of a document's sections.

    Raises:
        ConfigError: The tool that was asked for is not known.
    """
    if tool and tool not in TOOLS:
        raise ConfigError(str(document.path), "unknown-tool", tool=tool, known=", ".join(TOOLS))
    stated = {name.lower(): number for name, number in _STATED.findall(document.text[:4096])}
    for section in document.sections:
        if not section.tool:
            _by_keys(section, tool)
        if section.tool in {"transformers", "trl"} and document.kind != "python":
            section.complete &= section.closed or _few_are_strange(section)
        if version and section.tool == tool:
            section.version = version
        elif section.tool in stated:
            section.version = stated[section.tool]


def _by_keys(section: Section, wanted: str) -> None:
    names = _names(section)
    section.tool = section.schema = wanted or _best(names)
    if section.tool in {"transformers", "trl"}:
        schema = "" if wanted == "transformers" else _trl_schema(names)
        schema = schema or ("SFTConfig" if wanted == "trl" else "")
        section.tool = "trl" if schema else "transformers"
        section.schema = schema or "TrainingArguments"
        section.closed = not names & _SCRIPT and _few_are_strange(section)
    else:
        section.closed = bool(section.tool) and not names & _OPEN.get(section.tool, frozenset())
    if not wanted and section.tool and _most_are_strange(section):
        section.tool = section.schema = ""


def _names(section: Section) -> frozenset[str]:
    return frozenset(key for key in section.settings if "." not in key)


def _best(names: AbstractSet[str]) -> str:
    if names & _OTHERS:
        return ""
    counts = {tool: len(marks & names) for tool, marks in _MARKS.items()}
    for tool, needed in _NEEDED.items():
        if not needed & names:
            counts[tool] = 0
    trainer = len(_TRAINER_MARKS & names)
    # A trainer's file has fp16 and bf16 as well, and some of axolotl's words.
    if trainer > counts["deepspeed"]:
        counts["deepspeed"] = 0
    if trainer >= counts["axolotl"] and "base_model" not in names:
        counts["axolotl"] = 0
    tool = max(counts, key=lambda name: counts[name])
    if counts[tool] >= _ENOUGH:
        return tool
    if trainer >= _ENOUGH or (trainer and trainer == len(names)):
        return "transformers"
    return tool if counts[tool] and len(names) <= counts[tool] + 1 else ""


def _trl_schema(names: AbstractSet[str]) -> str:
    best = max(_TRL_MARKS, key=lambda schema: len(_TRL_MARKS[schema] & names))
    return best if _TRL_MARKS[best] & names else ""


def _strange(section: Section) -> list[str]:
    known = keys(section.tool, section.schema)
    return [name for name in _names(section) if name not in known and name not in _SCRIPT]


def _few_are_strange(section: Section) -> bool:
    """A program often adds arguments of its own; where there are few, they are mistakes."""
    names = _names(section)
    return bool(names) and len(_strange(section)) <= max(1, len(names) // 10)


def _most_are_strange(section: Section) -> bool:
    """A vocabulary, or the settings of another program, has some words in common with a tool."""
    return len(_strange(section)) * 3 > len(_names(section)) * 2
