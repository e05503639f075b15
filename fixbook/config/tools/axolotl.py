"""axolotl: one YAML file, validated by pydantic models; plugins add keys of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import BaseModel

    from fixbook.config.extract.classes import Classes
    from fixbook.config.tool import Keys

_PLUGIN_ARGS = re.compile(r"""return ["']axolotl\.integrations\.[\w.]+\.(\w+)["']""")
# What a fragment is completed with, so that only what it says itself can be wrong.
_BASE = {
    "base_model": "any/model",
    "datasets": [{"path": "any/data", "type": "alpaca"}],
    "micro_batch_size": 1,
    "gradient_accumulation_steps": 1,
    "learning_rate": 0.0001,
    "output_dir": "out",
}
_LISTS_OF_DATA = ("datasets", "test_datasets", "pretraining_dataset")
# What axolotl is told of the machine: eight of them, so that it refuses nothing for want of one.
H100 = {
    "bf16": True,
    "fp8": True,
    "tf32": True,
    "n_gpu": 8,
    "n_node": 1,
    "compute_capability": "sm_90",
}
TORCH = {"torch_version": "2.9.0"}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, within

    integrations = within(files, "axolotl/integrations/")
    schemas = within(files, "axolotl/utils/schemas/", "axolotl/utils/config/models/")
    classes = Classes({**integrations, **schemas})
    plugins: Keys = {}
    names = [name for text in integrations.values() for name in _PLUGIN_ARGS.findall(text)]
    for name in dict.fromkeys(names):
        plugins |= classes.keys(name)
    keys = {**plugins, **classes.keys("AxolotlInputConfig"), **_of_entries(classes)}
    return {"axolotl": keys, "plugins": plugins}


def _of_entries(classes: Classes) -> Keys:
    """Keys of the entries of lists of data sets: axolotl takes the class that fits one best."""
    import ast

    from fixbook.config.extract.classes import Shape

    keys: Keys = {}
    fields = classes.fields("AxolotlInputConfig")
    for field in _LISTS_OF_DATA:
        if field not in fields:
            continue
        named = (node for node in ast.walk(fields[field].annotation) if isinstance(node, ast.Name))
        found: Keys = {}
        for name in dict.fromkeys(node.id for node in named if classes.fields(node.id)):
            inside = classes.keys(name, f"{field}.*.")
            found |= {
                key: shape for key, shape in inside.items() if key not in found or shape.model
            }
        if found:
            keys[f"{field}.*"] = Shape({"dict", "str"})
            keys |= {key: Shape({"any"}) for key in found}
    return keys


def _validate(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: FBT001
    from axolotl.utils.config import prepare_plugins, validate_config
    from axolotl.utils.dict import DictDefault

    from fixbook.config.refusals import first_line, unknown_keys

    whole = DictDefault({**_BASE, **config} if fragment else dict(config))
    prepare_plugins(whole)
    yield from unknown_keys(_model(bool(config.get("plugins"))), config)
    try:
        validate_config(whole, capabilities=H100, env_capabilities=TORCH)
    except (ValueError, TypeError) as error:
        yield first_line(error)


def _model(plugins: bool) -> type[BaseModel]:  # noqa: FBT001
    from axolotl.integrations.config import merge_input_args
    from axolotl.utils.schemas.config import AxolotlInputConfig

    model: type[BaseModel] = merge_input_args()[1] if plugins else AxolotlInputConfig
    return model


TOOL = Tool(
    "axolotl",
    "axolotl",
    marks=words(
        "base_model micro_batch_size sequence_len datasets sample_packing adapter val_set_size"
        " num_epochs dataset_prepared_path pad_to_sequence_len load_in_4bit flash_attention"
        " wandb_project special_tokens chat_template rl evals_per_epoch saves_per_epoch"
    ),
    drops="all",
    extract=_extract,
    validate=_validate,
    check="validate_config",
)
