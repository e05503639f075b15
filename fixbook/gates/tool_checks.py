"""What each tool itself says of configuration files that are meant for it.

Tools that are installed here are imported (`fixbook.config.tools`). The others ask for other
releases of the same libraries: each runs in a process of its own, beside the releases it asks for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.formats.shell_words import split
from fixbook.config.tools import (
    accelerate,
    axolotl,
    deepspeed,
    llamafactory,
    objections,
    openrlhf,
    transformers,
    trl,
)
from fixbook.environment import installed_version
from fixbook.recipe.running import overlay

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORKER = Path(__file__).with_name("tool_worker.py")
_TIMEOUT_S = 300


# Those whose files the book shows, in the order in which articles show them.
TOOLS = {
    tool.TOOL.name: tool.TOOL
    for tool in (axolotl, transformers, trl, llamafactory, deepspeed, accelerate, openrlhf)
}


def version_of(tool: str) -> str | None:
    """Return the release that speaks for a tool here; None if it is not installed."""
    stack = TOOLS[tool].stack
    return stack[0].partition("==")[2] if stack else installed_version(tool)


def objections_to(tool: str, texts: Sequence[str], *, fragment: bool = False) -> list[list[str]]:
    """Return what a tool has against each of several texts.

    Args:
        tool: A key of `TOOLS`.
        texts: Whole files as they are published; YAML, JSON, or a shell script for OpenRLHF.
        fragment: True for parts of files; what is missing is filled in.
    """
    answers: list[list[str]] = [[] for _ in texts]
    asked: list[tuple[int, Any]] = []
    for number, text in enumerate(texts):
        try:
            asked.append((number, _arguments(text) if tool == "openrlhf" else _mapping(text)))
        except (TypeError, ValueError) as error:
            answers[number] = [str(error)]
    configs = [config for _, config in asked]
    if TOOLS[tool].stack:
        replies = _ask_process(tool, configs, fragment=fragment) if configs else []
    else:
        replies = [objections(tool, config, fragment=fragment) for config in configs]
    for (number, _), reply in zip(asked, replies, strict=True):
        answers[number] = reply
    return answers


def _mapping(text: str) -> dict[str, Any]:
    try:
        config: Any = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except (yaml.YAMLError, json.JSONDecodeError) as error:
        raise ValueError(f"cannot be parsed: {error}") from None
    if not isinstance(config, dict):
        raise TypeError("is not a mapping")
    return config


def _arguments(text: str) -> list[str]:
    """Return the script's name and the arguments of the one command of a shell script."""
    words = [word.text for command in split(text).commands for word in command]
    for number, word in enumerate(words):
        if word.startswith("openrlhf.cli."):
            return [word.rsplit(".", 1)[1], *words[number + 1 :]]
    raise ValueError("starts no module of openrlhf.cli")


def _ask_process(tool: str, configs: list[Any], *, fragment: bool) -> list[list[str]]:
    folder = overlay(TOOLS[tool].stack)
    done = subprocess.run(
        [sys.executable, str(_WORKER), tool],
        input=json.dumps({"configs": configs, "fragment": fragment}),
        env={**os.environ, "PYTHONPATH": str(folder) if folder else "", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{tool} could not be asked: {done.stderr.strip()[-2000:]}")
    answers: list[list[str]] = json.loads(done.stdout)
    return answers
