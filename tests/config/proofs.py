"""Ask the real tools: what a rule says of its failing fixture has to be what the tool does."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import yaml

from fixbook.config.tools import objections
from tests.config import proofs_in_axolotl as axolotl
from tests.config import proofs_in_launches as launches
from tests.config import proofs_in_overlays as overlays
from tests.config import proofs_in_processes as processes
from tests.config.machines import said_in_state
from tests.config.proofs_in_processes import arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.config.fixtures import Fixture

_H100 = {
    "bf16": True,
    "fp8": True,
    "tf32": True,
    "n_gpu": 8,
    "n_node": 1,
    "compute_capability": "sm_90",
}


def loaded(path: Path) -> dict[str, Any]:
    text = path.read_text("utf-8")
    value: dict[str, Any] = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return value


def said_by(item: Fixture, path: Path, proof: dict[str, Any]) -> str:
    """Return everything that the tool of a proof says of a configuration, and print it."""
    said = _TOOLS[proof["by"]](item, path)
    # What 'fixbook prove RULE' shows.
    sys.stdout.write(f"{path.name}: {' '.join(said.split()) or 'nothing'}\n")
    return said


def objects_to_one(item: Fixture, proof: dict[str, Any]) -> None:
    """Assert that the tool says what the proof says of the one configuration only."""
    text = proof.get("says") or proof["warns"]
    assert text in said_by(item, item.fails, proof)
    assert text not in said_by(item, item.passes, proof)


def _axolotl(_: Fixture, path: Path) -> str:
    return said_by_axolotl(path)


def said_by_axolotl(path: Path) -> str:
    """Return what axolotl objects to in a configuration, and what it logs meanwhile."""
    records: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("axolotl").addHandler(handler)
    try:
        found = objections("axolotl", loaded(path))
    except (DeprecationWarning, ImportError) as error:  # the latter: the kernels are not installed
        found = [str(error)]
    finally:
        logging.getLogger("axolotl").removeHandler(handler)
    return "\n".join([*found, *records])


def kept_by_axolotl(path: Path) -> dict[str, Any]:
    """Return what is left when axolotl has validated a configuration."""
    from axolotl.utils.config import prepare_plugins, validate_config
    from axolotl.utils.dict import DictDefault

    config = DictDefault(loaded(path))
    prepare_plugins(config)
    return dict(
        validate_config(config, capabilities=_H100, env_capabilities={"torch_version": "2.9.0"})
    )


def _deepspeed(_: Fixture, path: Path) -> str:
    out = io.StringIO()
    from deepspeed.utils import logger

    handler = logging.StreamHandler(out)
    logger.addHandler(handler)
    try:
        with contextlib.redirect_stdout(out):
            found = objections("deepspeed", loaded(path))
    except Exception as error:  # noqa: BLE001  (DeepSpeed's own error derives from Exception)
        found = [str(error)]
    finally:
        logger.removeHandler(handler)
    return "\n".join([*found, out.getvalue()])


def _transformers(_: Fixture, path: Path) -> str:
    return "\n".join(objections("transformers", arguments(path)))


def _precision(_: Fixture, path: Path) -> str:
    """TrainingArguments asks the machine first; accelerate's own check of both comes behind it."""
    import transformers.training_args as module
    from transformers import TrainingArguments

    values = arguments(path)
    with mock.patch.object(module, "is_torch_bf16_gpu_available", return_value=True, create=True):
        try:
            TrainingArguments(**{**values, "use_cpu": True})
        except ValueError as error:
            return str(error)
    return ""


def _attribute(_: Fixture, path: Path) -> str:
    from transformers import TrainingArguments

    made = TrainingArguments(**{**arguments(path), "use_cpu": True})
    return f"eval_strategy={getattr(made.eval_strategy, 'value', made.eval_strategy)}"


def _optimizer(_: Fixture, path: Path) -> str:
    """Axolotl hands both names to transformers, which turns them into its enumerations."""
    from transformers import TrainingArguments

    config = loaded(path)
    names = {"optim": config.get("optimizer"), "lr_scheduler_type": config.get("lr_scheduler")}
    try:
        TrainingArguments(output_dir="out", use_cpu=True, **{k: v for k, v in names.items() if v})
    except ValueError as error:
        return str(error)
    return ""


def _axolotl_loader(_: Fixture, path: Path) -> str:
    """Return how axolotl's own loader would quantise the model."""
    for name in ("posthog", "fastcore", "fastcore.parallel"):  # imported on the way, unused
        sys.modules.setdefault(name, mock.MagicMock())
    from axolotl.loaders.model import ModelLoader
    from axolotl.utils.dict import DictDefault

    loader = object.__new__(ModelLoader)  # what comes before looks for the model
    loader.cfg = DictDefault(loaded(path))
    loader.model_kwargs, loader.model_config = {}, SimpleNamespace()
    loader._set_quantization_config()
    chosen = loader.model_kwargs.get("quantization_config")
    return "not quantised" if chosen is None else f"{4 if chosen.load_in_4bit else 8} bits"


def _bitsandbytes(_: Fixture, path: Path) -> str:
    from transformers import BitsAndBytesConfig

    config = loaded(path)
    configure: Any = BitsAndBytesConfig  # untyped
    try:
        configure(**{key: config.get(key, False) for key in ("load_in_4bit", "load_in_8bit")})
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


def _with_deepspeed(_: Fixture, path: Path) -> str:
    from transformers import TrainingArguments
    from transformers.integrations.deepspeed import HfTrainerDeepSpeedConfig

    values = loaded(path)
    read: Any = HfTrainerDeepSpeedConfig  # untyped
    config = read(str(path.parent / values.pop("deepspeed")))
    bf16 = values.pop("bf16", False)
    made = TrainingArguments(**values, use_cpu=True, bf16=False)
    object.__setattr__(made, "bf16", bf16)
    config.trainer_config_process(made)
    return "\n".join(config.mismatches)


def _accelerate_launch(_: Fixture, path: Path) -> str:
    """Do what ``accelerate launch`` does up to starting processes; return what they would see."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils import DeepSpeedPlugin
    from accelerate.utils.launch import prepare_deepspeed_cmd_env, prepare_multi_gpu_env

    parsed = launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
    parsed, defaults, _ = _validate_launch_command(parsed)
    fields = list(defaults.deepspeed_config) if defaults.deepspeed_config else []
    parsed.deepspeed_fields_from_accelerate_config = ",".join(fields)
    if not parsed.use_deepspeed:
        return "\n".join(prepare_multi_gpu_env(parsed))
    environment = prepare_deepspeed_cmd_env(parsed)[1]
    if "deepspeed_config_file" not in fields:
        return "\n".join(environment)
    before = dict(os.environ)
    os.environ.update({key: value for key, value in environment.items() if "ACCELERATE" in key})
    try:
        DeepSpeedPlugin(hf_ds_config={"train_batch_size": 1, "zero_optimization": {"stage": 2}})
    except ValueError as error:
        return str(error)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return "\n".join(environment)


def _reporting(_: Fixture, path: Path) -> str:
    """Look for what the Trainer reports to, as it does when it is made."""
    from transformers import TrainingArguments
    from transformers.integrations import integration_utils

    trackers: Any = integration_utils
    try:
        trackers.get_reporting_integration_callbacks(
            TrainingArguments(**{**arguments(path), "use_cpu": True}).report_to
        )
    except (ValueError, ImportError) as error:
        return str(error)
    return ""


def _machine(item: Fixture, path: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return said_in_state(item, path, Path(folder))


def _deepspeed_engine(_: Fixture, path: Path) -> str:
    """Have DeepSpeed's engine make what the file asks for: stage, optimizer, scheduler."""
    import torch
    from deepspeed.runtime.config import DeepSpeedConfig
    from deepspeed.runtime.engine import DeepSpeedEngine

    values = loaded(path)
    engine: Any = object.__new__(DeepSpeedEngine)
    torch.nn.Module.__init__(engine)
    engine.client_optimizer = None
    engine._config = config = DeepSpeedConfig(values)
    said = f"stage {int(config.zero_optimization_stage)}"
    try:
        if config.optimizer_name:
            made = engine._configure_basic_optimizer([torch.nn.Parameter(torch.zeros(2))])
            engine._scheduler_from_config(made)
    except (AttributeError, AssertionError, TypeError) as error:
        return f"{said}; {error}"
    return said


_TOOLS: dict[str, Callable[[Fixture, Path], str]] = {
    "accelerate-deepspeed": launches.accelerate_deepspeed,
    "accelerate-launch": _accelerate_launch,
    "accelerate-plugin": launches.accelerate_plugin,
    "attribute": _attribute,
    "axolotl": _axolotl,
    "axolotl-loader": _axolotl_loader,
    "axolotl-precision": axolotl.precision,
    "axolotl-split": axolotl.split,
    "bitsandbytes": _bitsandbytes,
    "compile": launches.compiling,
    "ddp": processes.ddp,
    "deepspeed": _deepspeed,
    "deepspeed-engine": _deepspeed_engine,
    "llamafactory-arguments": overlays.asks("llamafactory", "arguments"),
    "llamafactory-export": overlays.asks("llamafactory", "export"),
    "llamafactory-model": overlays.asks("llamafactory", "model"),
    "llamafactory-packing": overlays.asks("llamafactory", "packing"),
    "llamafactory-training": overlays.asks("llamafactory", "training"),
    "lora": overlays.lora,
    "machine": _machine,
    "ms-swift": overlays.ms_swift,
    "openrlhf": processes.openrlhf,
    "optimizer": _optimizer,
    "precision": _precision,
    "reporting": _reporting,
    "trainer-with-deepspeed": _with_deepspeed,
    "transformers": _transformers,
    "trl-arguments": overlays.asks("trl", "arguments"),
    "trl-training": overlays.asks("trl", "training"),
    "trl-vllm": overlays.asks("trl", "vllm"),
    "verl-settings": overlays.asks("verl", "settings"),
    "verl-advantage": overlays.asks("verl", "advantage"),
    "verl-kl": overlays.asks("verl", "kl"),
    "verl-rollout": overlays.asks("verl", "rollout"),
}
