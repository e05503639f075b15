"""Tell which tool a configuration is for, and for which version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.setting import ConfigError
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
# Arguments of a training script, which reads the file together with the trainer's own.
_SCRIPT = _words(
    "model_name_or_path dataset_name dataset_mixture dataset_configs torch_dtype model args"
    " cutoff_len"
)
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
        raise ConfigError(f"--tool {tool}", "is not known here", f"use one of {', '.join(TOOLS)}")
    stated = {name.lower(): number for name, number in _STATED.findall(document.text[:4096])}
    for section in document.sections:
        if not section.tool:
            section.tool, section.schema, section.closed = _by_keys(section, tool)
        if version and section.tool == tool:
            section.version = version
        elif section.tool in stated:
            section.version = stated[section.tool]


def _by_keys(section: Section, wanted: str) -> tuple[str, str, bool]:
    names = {key for key in section.settings if "." not in key}
    tool = wanted or _best(names)
    if tool in {"transformers", "trl"}:
        schema = _trl_schema(names) or ("SFTConfig" if wanted == "trl" else "")
        tool = "trl" if schema and wanted != "transformers" else "transformers"
        schema = schema if tool == "trl" else "TrainingArguments"
        return tool, schema, _mostly(names, tool, schema)
    closed = bool(tool) and not names & _OPEN.get(tool, frozenset())
    return tool, tool, closed


def _best(names: AbstractSet[str]) -> str:
    counts = {tool: len(marks & names) for tool, marks in _MARKS.items()}
    for tool, needed in _NEEDED.items():
        if not needed & names:
            counts[tool] = 0
    tool = max(counts, key=lambda name: counts[name])
    trainer = len(_TRAINER_MARKS & names)
    if counts[tool] >= _ENOUGH and (
        tool != "axolotl" or "base_model" in names or trainer < counts[tool]
    ):
        return tool
    if trainer >= _ENOUGH or (trainer and trainer == len(names)):
        return "transformers"
    return tool if counts[tool] and len(names) <= counts[tool] + 1 else ""


def _trl_schema(names: AbstractSet[str]) -> str:
    best = max(_TRL_MARKS, key=lambda schema: len(_TRL_MARKS[schema] & names))
    return best if _TRL_MARKS[best] & names else ""


def _mostly(names: AbstractSet[str], tool: str, schema: str) -> bool:
    """A script often adds arguments of its own; only a file of nothing else has mistakes."""
    known = keys(tool, schema)
    strange = [name for name in names if name not in known]
    return bool(names) and not names & _SCRIPT and len(strange) <= max(1, len(names) // 10)
