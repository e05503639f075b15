"""Tools that are not in the environment: each is installed beside it, without dependencies."""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.formats.shell_words import split
from fixbook.config.read import read_file
from fixbook.gates.tool_checks import TOOLS
from fixbook.recipe.running.overlays import overlay
from tests.config.proofs_in_processes import arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.config.fixtures import Fixture

HERE = Path(__file__).parent
# Proofs by tools that are asked about all their configurations at once.
BESIDE = ("llamafactory-", "trl-", "verl-")
PACKAGES = {
    "llamafactory": [*TOOLS["llamafactory"].stack],
    # What it imports to declare its options; the rest is for training.
    "ms-swift": ["ms-swift==4.6.0", "modelscope==1.30.0", "json-repair==0.52.0"],
    "openrlhf": [*TOOLS["openrlhf"].stack],
    "trl": [*TOOLS["trl"].stack],
    "verl": [
        "verl==0.9.1",
        "hydra-core==1.3.2",
        "tensordict==0.10.0",
        "pyvers==0.1.0",
        "cloudpickle==3.1.2",
        "codetiming==1.4.0",
        "orjson==3.13.0",
        "omegaconf==2.3.0",
        "antlr4-python3-runtime==4.9.3",
    ],
    # The last release of transformers 4, with data sets and a hub that it knows.
    "transformers": [
        "transformers==4.57.6",
        "tokenizers==0.22.1",
        "huggingface_hub==0.36.0",
        "datasets==4.8.4",
        "httpx==0.28.1",
        "httpcore==1.0.9",
    ],
}


def folder_of(tool: str) -> Path:
    """Return the folder that a tool is installed in, installing it if need be."""
    folder = overlay(PACKAGES[tool])
    assert folder is not None, f"{tool} belongs to the environment now"
    return folder


def run(tool: str, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of this folder with a tool."""
    return subprocess.run(
        [sys.executable, str(HERE / program), *words],
        env={**os.environ, "PYTHONPATH": str(folder_of(tool)), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def answers(tool: str, part: str, given: dict[str, Any]) -> dict[str, Any]:
    """Ask a tool about configurations, in a process that has imported it and is then gone."""
    code, said, besides = _warm(tool).ask(part, json.dumps(given))
    assert code == 0, besides
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def asks(tool: str, part: str) -> Callable[[Fixture, Path], str]:
    """Return what asks a part of a tool about a configuration."""
    return lambda _, path: _answer(tool, part, path)


@functools.cache
def _answer(tool: str, part: str, path: Path) -> str:
    return str(answers(tool, part, {"": _READERS[tool](path)})[""])


class _Warm:
    """A process that has imported a tool: importing takes seconds."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        program = HERE / f"{tool.replace('-', '_')}_checks.py"
        self._runs = subprocess.Popen(
            [sys.executable, str(HERE / "ask_warm.py"), str(program)],
            env={**os.environ, "PYTHONPATH": str(folder_of(tool)), "HF_HUB_OFFLINE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: str) -> tuple[int, str, str]:
        """Return the exit code of the program with these words, and both of its outputs."""
        assert self._runs.stdin
        assert self._runs.stdout
        self._runs.stdin.write(json.dumps(words) + "\n")
        self._runs.stdin.flush()
        line = self._runs.stdout.readline()
        assert line, f"{self.tool} could not be imported: see above"
        code, said, besides = json.loads(line)
        return code, said, besides

    def end(self) -> None:
        self._runs.communicate()


_KEPT: dict[str, _Warm] = {}
_MOST = 3  # each holds what it has imported


def _warm(tool: str) -> _Warm:
    if tool not in _KEPT:
        if len(_KEPT) == _MOST:
            _KEPT.pop(next(iter(_KEPT))).end()
        _KEPT[tool] = _Warm(tool)
    return _KEPT[tool]


@atexit.register
def end_warm() -> None:
    """End the processes that answer."""
    while _KEPT:
        _KEPT.popitem()[1].end()


def _file(path: Path) -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    if "deepspeed" in values:
        values["deepspeed"] = str(path.parent / values["deepspeed"])
    return values


def _overrides(path: Path) -> list[str]:
    words = [word.text for word in split(path.read_text("utf-8")).commands[-1]]
    return words[words.index("verl.trainer.main_ppo") + 1 :]


def ms_swift(_: Fixture, path: Path) -> str:
    words = [word.text for word in split(path.read_text("utf-8")).commands[-1]]
    said = answers("ms-swift", "flags", {"": words[words.index("swift") + 1 :]})[""]
    return "" if said == "accepted" else str(said)


def _call(path: Path) -> list[Any]:
    schema = read_file(path).sections[0].schema
    return [schema.name, {**arguments(path), "use_cpu": True, "bf16": False}]


_READERS: dict[str, Callable[[Path], Any]] = {
    "llamafactory": _file,
    "trl": _call,
    "verl": _overrides,
}


def lora(_: Fixture, path: Path) -> str:
    done = run("transformers", "lora_under_trainer.py", json.dumps(arguments(path)))
    return done.stdout + done.stderr
