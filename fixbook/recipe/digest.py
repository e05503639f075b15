"""Tell whether recorded evidence still belongs to what is in the book.

The digest covers what decides a run: the recipe and the files beside it, what the entry claims of
it, and the code that runs and judges steps. Prose is left out, so mending a sentence does not
call for a GPU; so are the files below ``tools/``, which say in other tools' words what the steps
execute, and which those tools' own checks accept or refuse.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.recipe.evidence import versions_of

if TYPE_CHECKING:
    from fixbook.book import BookEntry
    from fixbook.recipe.evidence import Evidence
    from fixbook.recipe.outline import Outline

_HARNESS = ("needs.py", "process.py", "runner.py", "steps.py", "verdict.py", "worker.py")
_NOT_RUN = {"entry.yaml"}
_NOT_RUN_FOLDERS = {"evidence", "logs", "tools", "__pycache__"}


def digest_of(item: BookEntry) -> dict[str, str]:
    """Return one short SHA-256 per part: ``recipe``, ``claims`` and ``harness``."""
    return {
        "recipe": _files(_recipe_files(item.folder), item.folder),
        "claims": _sha(json.dumps(_claims(item), sort_keys=True, ensure_ascii=False).encode()),
        "harness": _files(
            [Path(__file__).parent / name for name in _HARNESS], Path(__file__).parent
        ),
    }


def staleness(item: BookEntry, outline: Outline, evidence: Evidence) -> list[str]:
    """Say what has changed since evidence was recorded; empty if it is current.

    Args:
        item: The entry as it is now.
        outline: Its recipe as it is now.
        evidence: The record.

    Returns:
        One short sentence per change. Versions are compared only for CPU evidence and only where
        the library is installed: a GPU machine may have its own.
    """
    now = digest_of(item)
    changes = [f"the {part} changed" for part in now if evidence.digest.get(part) != now[part]]
    missing = [name for name in outline.steps if name not in evidence.steps]
    changes += [f"step {name} is not in it" for name in missing]
    if evidence.machine.name == "cpu":
        for name, version in versions_of(outline).items():
            recorded = evidence.versions.get(name)
            if recorded != version:
                changes.append(f"{name} is {version}, recorded with {recorded}")
    return changes


def _claims(item: BookEntry) -> dict[str, Any]:
    """The part of an entry that runs are held against, and the snippets that recipes execute."""
    data = item.entry.model_dump(mode="json", by_alias=True)
    steps = {
        name: {key: claims[key] for key in ("fails", "expect", "in_force")}
        for name, claims in data["steps"].items()
    }
    signatures = [
        {key: signature[key] for key in ("id", "pattern", "context", "unless")}
        for signature in data["signatures"]
    ]
    return {"steps": steps, "signatures": signatures, "snippets": data["snippets"]}


def _recipe_files(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in _NOT_RUN
        and not path.name.startswith(".")
        and not _NOT_RUN_FOLDERS & set(path.relative_to(folder).parts)
    )


def _files(paths: list[Path], base: Path) -> str:
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.relative_to(base).as_posix().encode() + b"\0")
        whole.update(_sha(path.read_bytes()).encode())
    return whole.hexdigest()[:16]


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
