"""The files of evidence, two for each machine, under ``recipes/<slug>/evidence/``.

``cpu.json`` says what was seen and changes only when that does; ``cpu.runs.json`` says when and on
what, how long it took and how much memory: a review can skip it. Nobody types either.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fixbook.files import write_atomically
from fixbook.packed import unpack
from fixbook.problem import BookError, Problem
from fixbook.recipe.record.evidence import RUN_FIELDS, Evidence
from fixbook.text import _

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Book, BookEntry

    _Kept = dict[Path, Path | str]  # files, with their text where they are packed
RECORDS = "evidence.xz"  # a package of the book has all evidence in one file
_RUNS = ".runs.json"
_OF_THE_RUN = (*RUN_FIELDS, "machine", "run_seal")


def load_evidence(item: BookEntry) -> dict[str, Evidence]:
    """Load an entry's evidence by machine name; ``cpu`` first.

    Raises:
        BookError: A file is damaged.
    """
    found = {}
    kept = _packed(item) | _files(item)
    for path in (path for path in kept if not path.name.endswith(_RUNS)):
        try:
            found[path.stem] = Evidence.model_validate(_whole(path, kept))
        except (ValueError, OSError, RecursionError) as error:
            raise BookError([_damage(path, item.slug, error)]) from None
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "cpu", pair[0])))


def packed_evidence(book: Book) -> dict[str, str]:
    """Return the files of all evidence of a book by slug and name: what `RECORDS` packs."""
    return {
        f"{item.slug}/{path.name}": path.read_text("utf-8")
        for item in book.entries.values()
        for path in sorted(item.evidence[0].glob("*.json"))
    }


def _files(item: BookEntry) -> _Kept:
    return {path: path for folder in item.evidence for path in sorted(folder.glob("*.json"))}


def _packed(item: BookEntry) -> _Kept:
    ours = item.evidence[0]
    texts = unpack(ours.parents[2] / RECORDS) or {}
    mine = f"{item.slug}/"
    return {
        ours / name.removeprefix(mine): text
        for name, text in texts.items()
        if name.startswith(mine)
    }


def write_evidence(item: BookEntry, evidence: Evidence) -> Path:
    """Write evidence; the old files stay until the new ones are complete.

    Args:
        item: The entry.
        evidence: The record.

    Returns:
        The file that says what was seen.
    """
    path = item.evidence[-1] / f"{evidence.machine.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    said, runs = _parted(evidence)
    write_atomically(_runs_of(path), _text(runs))
    write_atomically(path, _text(said))
    return path


def _parted(evidence: Evidence) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part evidence into what it says and how it came about."""
    said = evidence.model_dump(mode="json")
    runs: dict[str, Any] = {name: said.pop(name) for name in ("recorded", "machine")}
    runs["steps"] = {}
    for name, step in said["steps"].items():
        of_run = {field: step.pop(field) for field in _OF_THE_RUN}
        runs["steps"][name] = {key: value for key, value in of_run.items() if value is not None}
        step["log"] = step["log"].split("\n")
    return said, runs


def _whole(path: Path, kept: _Kept) -> Any:
    """Put both files of a machine together."""
    said = _json(kept[path])
    runs_file = _runs_of(path)
    runs = _json(kept[runs_file]) if runs_file in kept else {}
    if not (isinstance(said, dict) and isinstance(runs, dict)):
        return said if isinstance(runs, dict) else runs  # neither is evidence: the model says so
    of_runs = _rows(runs.pop("steps", {}))
    for name, step in _rows(said.get("steps")).items():
        step.update(of_runs.get(name, {}))
        if isinstance(step.get("log"), list):
            step["log"] = "\n".join(map(str, step["log"]))
    return said | runs


def _rows(steps: Any) -> dict[str, dict[str, Any]]:
    """Return the steps that are mappings; of the others the model says what is wrong."""
    pairs = steps.items() if isinstance(steps, dict) else ()
    return {name: step for name, step in pairs if isinstance(step, dict)}


def _json(source: Path | str) -> Any:
    return json.loads(source if isinstance(source, str) else source.read_bytes())


def _runs_of(path: Path) -> Path:
    return path.with_name(path.stem + _RUNS)


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _damage(path: Path, slug: str, error: Exception) -> Problem:
    reason = str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        reason = f"{first['msg']} ({'.'.join(map(str, first['loc']))})"
    what = _("is not evidence: {reason}").format(reason=reason)
    return Problem(str(path), what, _("run 'fixbook verify --record {slug}'").format(slug=slug))
