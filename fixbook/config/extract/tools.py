"""Where each tool declares its keys."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.extract.classes import Classes, Shape
from fixbook.config.extract.options import options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Keys = dict[str, Shape]
Schemas = dict[str, Keys]
_CONSTANT = re.compile(r"""(?m)^[A-Z][A-Z0-9_]+ = ["']([a-z][A-Za-z0-9_]*)["']""")
_LOOKED_UP = re.compile(
    r"""(?:config|param_dict|_dict)(?:\.get\(|\[)["']([a-z]\w*)["']"""
    r"""|["']([a-z]\w*)["'] in \w*param_dict"""
)
_PLUGIN_ARGS = re.compile(r"""return ["']axolotl\.integrations\.[\w.]+\.(\w+)["']""")
_NESTED = 1
_TRAINER = "TrainingArguments"
# Sections of DeepSpeed's file that a class declares; it refuses other keys there.
_SECTIONS = {
    "zero_optimization": "DeepSpeedZeroConfig",
    "fp16": "DeepSpeedFP16Config",
    "bf16": "DeepSpeedBF16Config",
    "flops_profiler": "DeepSpeedFlopsProfilerConfig",
    "comms_logger": "CommsLoggerConfig",
    "tensorboard": "TensorBoardConfig",
    "wandb": "WandbConfig",
    "csv_monitor": "CSVConfig",
    "hybrid_engine": "HybridEngineConfig",
}


def keys_of(tool: str, files: Mapping[str, str]) -> Schemas:
    """Return the keys of every schema of a tool.

    Args:
        tool: Its distribution name.
        files: Text of its files by path.

    Raises:
        KeyError: Nothing is known of where this tool declares its keys.
    """
    return {name: keys for name, keys in _TOOLS[tool](files).items() if keys}


def _within(files: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    return {path: text for path, text in files.items() if path.startswith(prefixes)}


def _fields(classes: Classes, name: str, parent: str = "", depth: int = 0) -> Keys:
    keys: Keys = {}
    for key, node in classes.fields(name).items():
        shape = classes.shape(node.annotation)
        keys[parent + key] = shape
        if shape.model and depth <= _NESTED and not shape.types & {"any", "list"}:
            keys |= _fields(classes, shape.model, f"{parent}{key}.", depth + 1)
    return keys


def _axolotl(files: Mapping[str, str]) -> Schemas:
    schemas = _within(files, "axolotl/utils/schemas/", "axolotl/utils/config/models/")
    classes = Classes({**_within(files, "axolotl/integrations/"), **schemas})
    keys = _fields(classes, "AxolotlInputConfig")
    plugins: Keys = {}
    integrations = _within(files, "axolotl/integrations/")
    names = [name for text in integrations.values() for name in _PLUGIN_ARGS.findall(text)]
    for name in dict.fromkeys(names):
        plugins |= _fields(classes, name)
    return {"axolotl": {**plugins, **keys}, "plugins": plugins}


def _deepspeed(files: Mapping[str, str]) -> Schemas:
    classes = Classes(
        _within(
            files,
            "deepspeed/runtime/",
            "deepspeed/monitor/",
            "deepspeed/profiling/",
            "deepspeed/comm/",
            "deepspeed/compile/",
        )
    )
    sources = (text for path, text in files.items() if path.endswith(".py"))
    keys = {key: Shape({"any"}) for text in sources for key in _read_from(text)}
    for section, name in _SECTIONS.items():
        keys |= {section: Shape({"dict"}, model=name), **_fields(classes, name, f"{section}.")}
    return {"deepspeed": keys}


def _read_from(text: str) -> Iterator[str]:
    """DeepSpeed has no schema of its top level: keys are constants, and names looked up."""
    yield from _CONSTANT.findall(text)
    yield from (first or second for first, second in _LOOKED_UP.findall(text))


def _accelerate(files: Mapping[str, str]) -> Schemas:
    classes = Classes(_within(files, "accelerate/commands/config/", "accelerate/utils/dataclasses"))
    launch = files.get("accelerate/commands/launch.py", "")
    flags = dict(options(ast.parse(launch)))
    keys = _fields(classes, "ClusterConfig") | {
        "fp16": Shape({"bool"}),
        "dynamo_backend": Shape({"str"}),
    }
    keys["mixed_precision"] = flags.get("mixed_precision", keys["mixed_precision"])
    for section, prefix in (("fsdp_config", "fsdp_"), ("megatron_lm_config", "megatron_lm_")):
        nested = {key: shape for key, shape in flags.items() if key.startswith(prefix)}
        keys |= {f"{section}.{key}": shape for key, shape in nested.items()}
    deepspeed = [key for key in flags if re.match(r"deepspeed_|zero|offload_|gradient_", key)]
    keys |= {f"deepspeed_config.{key}": flags[key] for key in deepspeed}
    return {"accelerate": keys}


def _transformers(files: Mapping[str, str]) -> Schemas:
    wanted = (
        "transformers/training_args",
        "transformers/trainer_utils",
        "transformers/debug_utils",
    )
    classes = Classes(_within(files, *wanted))
    return {name: _trainer_fields(classes, name) for name in (_TRAINER, "Seq2SeqTrainingArguments")}


def _trainer_fields(classes: Classes, name: str) -> Keys:
    """Fields of a trainer's arguments: it turns text into its enumerations and refuses the rest."""
    keys = _fields(classes, name)
    for key, shape in keys.items():
        if "enum" in shape.types:
            shape.types.discard("str")
        if key in {"fsdp", "debug", "report_to", "include_for_metrics"}:
            shape.values.clear()
            shape.types = {"any"}
    return keys


def _trl(files: Mapping[str, str]) -> Schemas:
    classes = Classes(_within(files, "trl/trainer/", "trl/experimental/"))
    found: Schemas = {}
    for name in classes.nodes:
        if name.endswith("Config") and "Mixin" not in name:
            keys = _fields(classes, name)
            if _trains(classes, name):
                keys["extends:transformers"] = Shape({"any"})
            found[name] = keys
    return {name: keys for name, keys in found.items() if "extends:transformers" in keys}


def _trains(classes: Classes, name: str) -> bool:
    bases = classes.bases(name)
    return _TRAINER in bases or any(_trains(classes, base) for base in bases if base != name)


def _llamafactory(files: Mapping[str, str]) -> Schemas:
    classes = Classes(_within(files, "llamafactory/hparams/"))
    keys: Keys = {"extends:transformers": Shape({"any"})}
    groups = (
        "ModelArguments",
        "DataArguments",
        "EvaluationArguments",
        "FinetuningArguments",
        "GeneratingArguments",
        _TRAINER,
        "RayArguments",
    )
    for name in groups:
        keys |= _fields(classes, name)
    return {"llamafactory": keys}


def _openrlhf(files: Mapping[str, str]) -> Schemas:
    return {
        path.rsplit("/", 1)[1].removesuffix(".py"): dict(options(ast.parse(text)))
        for path, text in _within(files, "openrlhf/cli/").items()
        if path.endswith(".py")
    }


def _verl(files: Mapping[str, str]) -> Schemas:
    keys: Keys = {}
    folder = _within(files, "verl/trainer/config/")
    whole = [path for path in folder if "_generated_ppo" in path]
    plain = [path for path in folder if re.search(r"/ppo(_megatron)?_trainer\.yaml$", path)]
    for path in whole or plain:
        keys |= dict(_tree(yaml.safe_load(folder[path]), ""))
    groups = [item for path in plain for item in yaml.safe_load(folder[path]).get("defaults", [])]
    for item in groups:  # `model_engine=megatron` chooses a file of settings
        if isinstance(item, dict):
            keys |= {key: Shape({"any"}) for key in item if not key.startswith("override ")}
    return {"verl": keys}


def _tree(node: Any, parent: str) -> Iterator[tuple[str, Shape]]:
    for key, value in (node or {}).items():
        if key.startswith("_") or key in {"defaults", "hydra"}:
            continue
        if isinstance(value, dict) and value:
            yield parent + key, Shape({"dict"})
            yield from _tree(value, f"{parent}{key}.")
        else:
            yield parent + key, Shape({"dict", "any"} if value in ({}, None) else {"any"})


_TOOLS: dict[str, Callable[[Mapping[str, str]], Schemas]] = {
    "accelerate": _accelerate,
    "axolotl": _axolotl,
    "deepspeed": _deepspeed,
    "llamafactory": _llamafactory,
    "openrlhf": _openrlhf,
    "transformers": _transformers,
    "trl": _trl,
    "verl": _verl,
}
TOOLS = tuple(_TOOLS)
