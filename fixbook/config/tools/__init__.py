"""What is known of each tool, one module a tool."""

from __future__ import annotations

from typing import Any

from fixbook.config.tool import IMPORTS, LAUNCH, UNRECOGNISED, Schema, import_name
from fixbook.config.tools import (
    accelerate,
    axolotl,
    datasets,
    deepspeed,
    huggingface_hub,
    lightning,
    llama_server,
    llamafactory,
    machine,
    ms_swift,
    openrlhf,
    peft,
    pytorch_lightning,
    ray,
    sglang,
    torchrun,
    transformers,
    trl,
    verl,
    vllm,
)

# Where a file has as many keys of one as of another, the first of them is taken.
_ALL = (
    axolotl,
    deepspeed,
    accelerate,
    llamafactory,
    verl,
    transformers,
    trl,
    openrlhf,
    ms_swift,
    vllm,
    sglang,
    llama_server,
    torchrun,
    peft,
    datasets,
    huggingface_hub,
    lightning,
    pytorch_lightning,
    ray,
    machine,
)
EVERY = {module.TOOL.name: module.TOOL for module in _ALL}
# Those whose keys are known.
TOOLS = {name: tool for name, tool in EVERY.items() if tool.extract}


def schema_of(tool: str, name: str = "", version: str | None = None) -> Schema:
    """Return a schema of a tool that is known; by default the one called as the tool."""
    return Schema(EVERY[tool], name or tool, version) if tool else UNRECOGNISED


def classes() -> dict[str, Schema]:
    """Return the schema of every class whose keyword arguments are settings."""
    return {
        name: Schema(tool, name)
        for tool in (trl.TOOL, transformers.TOOL, accelerate.TOOL)
        for name in tool.schemas
        if not name.startswith("_") and name not in {tool.name, LAUNCH}
    }


def imports() -> dict[str, Schema]:
    """Return the schema of what a Python file imports, by the package it is imported from."""
    return {import_name(one.name): Schema(one, IMPORTS) for one in EVERY.values() if one.classes}


def objections(tool: str, config: dict[str, Any], *, fragment: bool = False) -> list[str]:
    """Ask a tool that is installed whether it accepts a configuration.

    Args:
        tool: ``axolotl``, ``deepspeed``, ``transformers`` or ``accelerate``.
        config: The parsed configuration.
        fragment: True for part of a configuration; what is missing is filled in.

    Returns:
        What it has against it.

    Raises:
        KeyError: It is not known here how to ask the tool.
        ModuleNotFoundError: The tool is not installed.
    """
    validate = TOOLS[tool].validate
    if validate is None:
        raise KeyError(tool)
    return list(validate(config, fragment))
