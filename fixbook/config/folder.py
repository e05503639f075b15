"""What of a folder is a configuration: found by name and words, without following links."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.read import KINDS
from fixbook.config.tool import words
from fixbook.config.tools import EVERY, TOOLS, imports, llamafactory, ms_swift, transformers, trl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.errors import ConfigError

MOST_FILES = 20_000  # that are looked at; a folder of more is one of data
# What others keep beside a project: environments, caches, what a run leaves.
_NOT_WRITTEN = words(
    "node_modules site-packages __pycache__ venv env build dist wandb mlruns lightning_logs"
    " outputs multirun checkpoints third_party vendor"
)
_RUN_RECORD = re.compile(r"^(?:checkpoint-\d+|run-\d{8}_\d+-\w+|offline-run-\d+.*)$")
# What libraries write for themselves, and what configures tools that are no trainers.
_OTHERS = words(
    "package.json package-lock.json tsconfig.json tokenizer.json tokenizer_config.json vocab.json"
    " special_tokens_map.json added_tokens.json trainer_state.json all_results.json"
    " train_results.json eval_results.json adapter_config.json generation_config.json"
    " mkdocs.yml .pre-commit-config.yaml"
    " model.safetensors.index.json"
)


@dataclass(slots=True)
class Skipped:
    """Files of folders that were not checked.

    Attributes:
        others: How many are no configurations of a known tool.
        unread: Those that could be one, and cannot be read.
        folders: How many folders were looked into.
    """

    folders: int = 0
    others: int = 0
    unread: list[ConfigError] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"others": self.others, "unread": [item.as_json() for item in self.unread]}


def files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that can be configurations by their names, in order.

    Hidden folders, environments and what runs leave are left out, and links are not followed.
    """
    left = MOST_FILES
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_looked_into(Path(root), name))
        for name in sorted(names):
            path = Path(root, name)
            if path.suffix.lower() not in KINDS or name in _OTHERS or path.is_symlink():
                continue
            left -= 1
            if left < 0:
                return
            yield path


def _is_looked_into(root: Path, name: str) -> bool:
    if name.startswith(".") or name in _NOT_WRITTEN or _RUN_RECORD.match(name):
        return False
    return not (root / name / "pyvenv.cfg").exists()


def may_be_one(text: str) -> bool:
    """Tell whether a text has a word that only known tools have; the rest is not even parsed."""
    return bool(_words().search(text))


@functools.cache
def _words() -> re.Pattern[str]:
    marks = {mark for tool in EVERY.values() for mark in tool.marks}
    marks |= transformers.FLAGS | transformers.TOOL.marks
    marks |= {word for listed in trl.MARKS.values() for word in listed}
    marks |= {"openrlhf", "swift", "llama-cli", *TOOLS} | llamafactory.DATA_MARKS
    marks |= ms_swift.TUNERS
    imported = f"from (?:{'|'.join(imports())})"  # of a package of which no keys are known, too
    return re.compile(rf"\b(?:{'|'.join([*sorted(map(re.escape, marks)), imported])})\b")
