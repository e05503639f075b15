"""Transformers: the Trainer's arguments, as keyword arguments, in files, and as flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.extract.classes import Classes
    from fixbook.config.tool import Keys

TRAINER = "TrainingArguments"
SEQ2SEQ = "Seq2SeqTrainingArguments"
CONSTRUCTORS = ("Trainer", "Seq2SeqTrainer")
# Arguments of a training script, which reads the file together with the trainer's own: those of
# TRL's scripts, and of the examples of transformers.
SCRIPT = words(
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
# Two of these, and a command of a script is one of the trainer.
FLAGS = words("output_dir per_device_train_batch_size learning_rate num_train_epochs do_train")
_SOURCES = (
    "transformers/training_args",
    "transformers/trainer",
    "transformers/debug_utils",
)
_ANY = {"fsdp", "debug", "report_to", "include_for_metrics"}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, within

    classes = Classes(within(files, *_SOURCES))
    fields = {name: _fields(classes, name) for name in (TRAINER, SEQ2SEQ)}
    return fields | {name: classes.arguments(name) for name in CONSTRUCTORS}


def _fields(classes: Classes, name: str) -> Keys:
    """Fields of a trainer's arguments: it turns text into its enumerations and refuses the rest."""
    keys = classes.keys(name)
    for key, shape in keys.items():
        if "enum" in shape.types:
            shape.types.discard("str")
        if key in _ANY:
            shape.values.clear()
            shape.types = {"any"}
    return keys


def _validate(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: ARG001, FBT001
    from transformers import TrainingArguments

    from fixbook.config.refusals import first_line

    # Precision is probed on the machine, and would hide every other message on one without GPU.
    probed = {key: value for key, value in config.items() if key not in {"bf16", "tf32", "fp16"}}
    try:
        TrainingArguments(**{"output_dir": "out", "use_cpu": True, **probed})
    except (ValueError, TypeError) as error:
        yield first_line(error)


TOOL = Tool(
    "transformers",
    "Transformers",
    marks=words(
        "output_dir per_device_train_batch_size learning_rate num_train_epochs max_steps"
        " logging_steps save_strategy eval_strategy evaluation_strategy warmup_ratio"
        " lr_scheduler_type report_to gradient_checkpointing bf16 fp16 save_steps optim seed"
    ),
    classes=True,
    extract=_extract,
    validate=_validate,
    check="TrainingArguments",
)
