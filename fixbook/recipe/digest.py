"""Tell whether recorded evidence still belongs to what is in the book.

A step's digest covers what decides its run: the syntax trees of the code it reaches, the files and
snippets it uses, what the entry claims of it, and the level of the harness. Prose, comments and
layout are outside, so mending a sentence does not call for a GPU.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name

from fixbook.recipe.level import HARNESS_LEVEL
from fixbook.recipe.modules import Folder, Module
from fixbook.recipe.parsing import parsed
from fixbook.recipe.steps import Needs
from fixbook.recipe.uses import Uses, uses_of
from fixbook.spoken import joined, quote, say
from fixbook.versions import is_version, within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book import BookEntry
    from fixbook.entry import Snippet
    from fixbook.recipe.evidence import Evidence, StepRecord
    from fixbook.recipe.outline import Outline
    from fixbook.recipe.steps import Step

_CLAIMS = ("fails", "expect", "in_force")
_SIGNATURE = ("id", "pattern", "context", "unless")
_SIGNED = {"reproduce", "fix"}  # kinds whose verdict depends on the entry's signatures
_HOW_OFTEN = {"record_once"}  # decides when a step runs, not what it does
_DEFAULTS = Needs()


def digests_of(
    item: BookEntry, outline: Outline, uses: Mapping[str, Uses] | None = None
) -> dict[str, str]:
    """Return the digest of every step of an entry: a short SHA-256.

    Args:
        item: The entry.
        outline: Its recipe.
        uses: What each step uses, where that is known already (see `entry_uses`).

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    uses = entry_uses(item, outline) if uses is None else uses
    data = item.entry.model_dump(mode="json", by_alias=True)
    return {name: _digest(item, step, uses[name], data) for name, step in outline.steps.items()}


def digest_of(item: BookEntry, outline: Outline, step_name: str) -> str:
    """Return the digest of one step.

    Raises:
        BookError: A Python file of the entry cannot be read.
        KeyError: The recipe has no such step.
    """
    return digests_of(item, outline)[step_name]


def entry_uses(item: BookEntry, outline: Outline) -> dict[str, Uses]:
    """Return what each step of an entry uses.

    Args:
        item: The entry.
        outline: Its recipe.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    functions = {
        name: (item.folder / step.file, name.replace("-", "_"))
        for name, step in outline.steps.items()
    }
    sources = {
        name: snippet.code if snippet.language == "python" else ""
        for name, snippet in item.entry.snippets.items()
    }
    return uses_of(item.folder, functions, sources)


def stale_steps(item: BookEntry, outline: Outline, evidence: Evidence | None) -> dict[str, str]:
    """Say which steps of an entry have to run again on a machine.

    The sources and the record alone decide: what is installed where this is asked does not count.

    Args:
        item: The entry as it is now.
        outline: Its recipe as it is now.
        evidence: What was recorded on the machine; None if nothing was.

    Returns:
        By step, why its record does not count: it is missing, was skipped though this machine's
        kind can run it, or something has changed since. The versions that the recipe pins are
        compared only for the machine ``cpu``: a GPU machine may have its own.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    now, pins = digests_of(item, outline), _pins(outline)
    stale: dict[str, str] = {}
    for name, step in outline.steps.items():
        record = evidence.steps.get(name) if evidence else None
        if evidence is None or record is None:
            stale[name] = say("is not recorded")
        elif record.verdict == "skipped" and not can_run(evidence, step.needs.on):
            continue
        elif why := _why(record, now[name], pins if evidence.machine.name == "cpu" else {}):
            stale[name] = why
    return stale


def can_run(evidence: Evidence, on: str) -> bool:
    """Tell whether a machine is of the kind that a step asks for with ``on``."""
    return on == "cpu" or bool(evidence.machine.gpus)


def _sha(content: str | bytes) -> str:
    """Return a short SHA-256."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]


def _digest(item: BookEntry, step: Step, uses: Uses, data: dict[str, Any]) -> str:
    claims = data["steps"].get(step.name) or {}
    snippets = {name: _snippet_text(item.entry.snippets[name]) for name in uses.snippets}
    signed = data["signatures"] if step.kind in _SIGNED else []
    content = {
        "level": HARNESS_LEVEL,
        "decorator": _decorator(step),
        "code": uses.code,
        "files": {_relative(item, path): _sha(path.read_bytes()) for path in uses.files},
        "snippets": snippets,
        "claims": {key: claims[key] for key in _CLAIMS if claims.get(key)},
        "signatures": [{key: one[key] for key in _SIGNATURE} for one in signed],
    }
    return _sha(json.dumps(content, sort_keys=True, ensure_ascii=False))


def _decorator(step: Step) -> dict[str, Any]:
    """What the decorator was given; what is left at its default is left out."""
    needs, defaults = asdict(step.needs), asdict(_DEFAULTS)
    given = {
        field.name: needs[field.name]
        for field in fields(Needs)
        if field.name not in _HOW_OFTEN and needs[field.name] != defaults[field.name]
    }
    kept = {"target": step.target, "found": step.found, "control": step.control, "needs": given}
    return {"kind": step.kind} | {
        key: value for key, value in kept.items() if value or value is False
    }


def _snippet_text(snippet: Snippet) -> str:
    """A snippet's syntax tree if it is Python, else its text."""
    code = snippet.code
    if snippet.language != "python":
        return code.strip()
    try:
        tree = parsed(code)
    except SyntaxError:
        return code.strip()
    return Folder(Path()).spell(Module(Path(), tree), tree)


def _relative(item: BookEntry, path: Path) -> str:
    return path.relative_to(item.folder).as_posix()


def _pins(outline: Outline) -> dict[str, str]:
    """The versions that a recipe asks for, by canonical name."""
    return {canonicalize_name(one.name): str(one.specifier) for one in outline.dependencies}


def _why(record: StepRecord, digest: str, pins: Mapping[str, str]) -> str:
    if record.verdict == "skipped":
        return say("was skipped ({reason})", reason=quote(record.reason))
    if record.digest != digest:
        return say("what it runs, reads or claims has changed since it was recorded")
    changed = [
        say(
            "the recipe asks for {need}, recorded with {recorded}",
            need=f"{name}{pins[canonicalize_name(name)]}",
            recorded=recorded,
        )
        for name, recorded in record.versions.items()
        if not _meets(recorded, pins.get(canonicalize_name(name), ""))
    ]
    return joined(changed) if changed else ""


def _meets(version: str, pin: str) -> bool:
    return not pin or (is_version(version) and within(version, pin))
