"""What tools say that the environment has no room for: each is asked in releases of its own."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.formats.shell_words import split
from fixbook.gates.tool_checks import objections_to
from tests.config.proofs_in_overlays import answers

if TYPE_CHECKING:
    from collections.abc import Callable


def beside(tool: str) -> Callable[[dict[str, str]], dict[str, list[str]]]:
    """Ask the tool itself of the release that is pinned for it."""

    def all_of(texts: dict[str, str]) -> dict[str, list[str]]:
        return dict(zip(texts, objections_to(tool, list(texts.values())), strict=True))

    return all_of


def verl(program: str, part: str) -> Callable[[dict[str, str]], dict[str, list[str]]]:
    """Ask about the overrides of a program; torchrun's own options come before."""

    def all_of(texts: dict[str, str]) -> dict[str, list[str]]:
        from torch.distributed.run import get_args_parser  # noqa: PLC0415

        given, refused = {}, {}
        for name, text in texts.items():
            words = [word.text for word in split(text).commands[-1]]
            at = words.index(program)
            given[name] = [word.replace("$HOME", "/data") for word in words[at + 1 :]]
            if words[0] == "torchrun":
                err = io.StringIO()
                with contextlib.suppress(SystemExit), contextlib.redirect_stderr(err):
                    get_args_parser().parse_args(words[1:])
                refused[name] = err.getvalue().strip().splitlines()[-1:]
        found = answers("verl", part, given)
        return {
            name: refused.get(name) or ([] if said == "accepted" else [said])
            for name, said in found.items()
        }

    return all_of


def list_of_data(texts: dict[str, str]) -> dict[str, list[str]]:
    """Let LLaMA-Factory look up each name of a list, and what would convert its samples."""
    with tempfile.TemporaryDirectory() as root:
        given = {}
        for number, (name, text) in enumerate(texts.items()):
            folder = Path(root, str(number))
            folder.mkdir()
            (folder / "dataset_info.json").write_text(text, "utf-8")
            given[name] = {"dataset": list(json.loads(text)), "dataset_dir": str(folder)}
        found = answers("llamafactory", "data", given)
    return {name: [] if said.startswith("found=") else [said] for name, said in found.items()}
