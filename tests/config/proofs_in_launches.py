"""Tools that say what is wrong once a process has been started and makes its engine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from unittest import mock

from tests.config.proofs_in_processes import arguments

if TYPE_CHECKING:
    from pathlib import Path

    from tests.config.fixtures import Fixture


def accelerate_deepspeed(_: Fixture, path: Path) -> str:
    """Make DeepSpeed's configuration as a process that ``accelerate launch`` started does."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils import DeepSpeedPlugin
    from accelerate.utils.launch import prepare_deepspeed_cmd_env
    from deepspeed.runtime.config import DeepSpeedConfig

    parsed = launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
    parsed, defaults, _ = _validate_launch_command(parsed)
    parsed.deepspeed_fields_from_accelerate_config = ",".join(defaults.deepspeed_config)
    environment = prepare_deepspeed_cmd_env(parsed)[1]
    handed = {key: value for key, value in environment.items() if key.startswith("ACCELERATE_")}
    with mock.patch.dict(os.environ, handed):
        made = dict(DeepSpeedPlugin().deepspeed_config)
    # What the Trainer fills in, and the batch size that the loader would say.
    known = {key: value for key, value in made.items() if value != "auto"}
    try:
        DeepSpeedConfig({**known, "train_micro_batch_size_per_gpu": 1})
    except ValueError as error:
        return str(error)
    return "made"


def accelerate_plugin(_: Fixture, path: Path) -> str:
    """Do what the started process does with what ``accelerate launch`` hands to it."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils import FullyShardedDataParallelPlugin
    from accelerate.utils.launch import prepare_multi_gpu_env

    parsed = launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
    environment = prepare_multi_gpu_env(_validate_launch_command(parsed)[0])
    handed = {key: value for key, value in environment.items() if key.startswith("FSDP_")}
    with mock.patch.dict(os.environ, handed):
        try:
            made: Any = FullyShardedDataParallelPlugin  # untyped
            made()
        except (KeyError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
    return "made"


def compiling(_: Fixture, path: Path) -> str:
    """Compile a model with the mode that the Trainer would hand on."""
    import torch
    from transformers import TrainingArguments

    made: Any = TrainingArguments(**{**arguments(path), "use_cpu": True})
    mode: Any = made.torch_compile_mode
    try:
        torch.compile(torch.nn.Linear(1, 1), backend=made.torch_compile_backend, mode=mode)
    except RuntimeError as error:
        return str(error)
    return "compiled"
