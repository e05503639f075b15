"""Ask the real tools whether they accept a configuration.

Imports the tools, so it needs the full environment. Tools drop unknown keys in silence, so those
are found by comparing with the fields that the tool's own schema declares.
"""

from __future__ import annotations

import difflib
import functools
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# What a fragment is completed with, so that only what it says itself can be wrong.
_AXOLOTL_BASE = {
    "base_model": "any/model",
    "datasets": [{"path": "any/data", "type": "alpaca"}],
    "micro_batch_size": 1,
    "gradient_accumulation_steps": 1,
    "learning_rate": 0.0001,
    "output_dir": "out",
}
_CONSTANT = re.compile(r"""(?m)^[A-Z][A-Z0-9_]+ = ["']([a-z][a-z0-9_]*)["']""")
_H100 = {
    "bf16": True,
    "fp8": True,
    "tf32": True,
    "n_gpu": 8,
    "n_node": 1,
    "compute_capability": "sm_90",
}


def objections(tool: str, config: dict[str, Any], *, fragment: bool = False) -> list[str]:
    """Return what a tool has against a configuration.

    Args:
        tool: ``axolotl``, ``deepspeed``, ``transformers`` or ``accelerate``.
        config: The parsed configuration.
        fragment: True for part of a configuration; what is missing is filled in.

    Raises:
        KeyError: The tool is not known here.
        ModuleNotFoundError: The tool is not installed.
    """
    return list(TOOLS[tool](config, fragment))


def _axolotl(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: FBT001
    from axolotl.utils.config import prepare_plugins, validate_config
    from axolotl.utils.dict import DictDefault

    whole = DictDefault({**_AXOLOTL_BASE, **config} if fragment else dict(config))
    prepare_plugins(whole)
    yield from _unknown_keys(_axolotl_model(bool(config.get("plugins"))), config)
    try:
        validate_config(whole, capabilities=_H100, env_capabilities={"torch_version": "2.9.0"})
    except (ValueError, TypeError) as error:
        yield _first_line(error)


def _axolotl_model(plugins: bool) -> type[BaseModel]:  # noqa: FBT001
    from axolotl.integrations.config import merge_input_args
    from axolotl.utils.schemas.config import AxolotlInputConfig

    model: type[BaseModel] = merge_input_args()[1] if plugins else AxolotlInputConfig
    return model


def _unknown_keys(
    model: type[BaseModel], config: dict[str, Any], parent: str = ""
) -> Iterator[str]:
    known: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        alias = field.validation_alias or field.alias
        known |= {name: field, **({alias: field} if isinstance(alias, str) else {})}
    for key, value in config.items():
        if key in known:
            nested = _nested_model(known[key].annotation)
            if nested is not None and isinstance(value, dict):
                yield from _unknown_keys(nested, value, f"{parent}{key}.")
        elif model.model_config.get("extra") != "allow":
            yield _unknown(parent + key, key, known)


def _nested_model(annotation: Any) -> type[BaseModel] | None:
    options = [annotation, *getattr(annotation, "__args__", ())]
    models = [item for item in options if isinstance(item, type) and issubclass(item, BaseModel)]
    return models[0] if len(models) == 1 else None


def _unknown(shown: str, key: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(key, list(known), n=1)
    return f"{shown!r} is not a key" + (f"; did you mean {close[0]!r}?" if close else "")


def _deepspeed(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: FBT001
    from deepspeed.runtime.config import DeepSpeedConfig

    for key in config:
        if key not in _deepspeed_keys():
            yield _unknown(key, key, _deepspeed_keys())
    base = {"train_micro_batch_size_per_gpu": 1} if fragment else {}
    # Trainers resolve "auto" before DeepSpeed reads it; here the smallest legal value stands in.
    resolved = {
        key: 1 if value == "auto" and "batch" in key else value for key, value in config.items()
    }
    try:
        DeepSpeedConfig({**base, **resolved})
    except (ValueError, TypeError, AssertionError) as error:
        yield _first_line(error)


@functools.cache
def _deepspeed_keys() -> frozenset[str]:
    """DeepSpeed has no schema of its top level: its keys are constants all over the package."""
    spec = importlib.util.find_spec("deepspeed")
    root = Path(str(spec.origin)).parent if spec else Path()
    sources = (path.read_text("utf-8", "replace") for path in root.rglob("*.py"))
    return frozenset(key for source in sources for key in _CONSTANT.findall(source))


def _transformers(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: ARG001, FBT001
    from transformers import TrainingArguments

    # Precision is probed on the machine, and would hide every other message on one without GPU.
    probed = {key: value for key, value in config.items() if key not in {"bf16", "tf32", "fp16"}}
    try:
        TrainingArguments(**{"output_dir": "out", "use_cpu": True, **probed})
    except (ValueError, TypeError) as error:
        yield _first_line(error)


def _accelerate(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: ARG001, FBT001
    from accelerate.commands.config.config_args import ClusterConfig

    try:
        ClusterConfig(
            **{"compute_environment": "LOCAL_MACHINE", "distributed_type": "NO", **config}
        )
    except (ValueError, TypeError) as error:
        yield _first_line(error)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if "validation error" not in line), repr(error))


TOOLS: dict[str, Callable[[dict[str, Any], bool], Iterator[str]]] = {
    "accelerate": _accelerate,
    "axolotl": _axolotl,
    "deepspeed": _deepspeed,
    "transformers": _transformers,
}
