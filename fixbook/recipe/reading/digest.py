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

from fixbook.recipe.author.steps import Needs
from fixbook.recipe.reading.level import HARNESS_LEVEL
from fixbook.recipe.reading.modules import Folder, Module
from fixbook.recipe.reading.parsing import parse
from fixbook.recipe.reading.uses import Uses, uses_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book import BookEntry, Snippet
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.reading.outline import Outline

_CLAIMS = ("fails", "expect", "in_force", "on_cuda")
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
    data["snippets"] = {name: _snippet_text(one) for name, one in item.entry.snippets.items()}
    return {name: _digest(item, step, uses[name], data) for name, step in outline.steps.items()}


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


def _sha(content: str | bytes) -> str:
    """Return a short SHA-256."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]


def _digest(item: BookEntry, step: Step, uses: Uses, data: dict[str, Any]) -> str:
    claims = data["steps"].get(step.name) or {}
    signed = data["signatures"] if step.kind in _SIGNED else []
    content = {
        "level": HARNESS_LEVEL,
        "decorator": _decorator(step),
        "code": uses.code,
        "files": {_relative(item, path): _sha(path.read_bytes()) for path in uses.files},
        "snippets": {name: data["snippets"][name] for name in uses.snippets},
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
        tree = parse(code)
    except SyntaxError:
        return code.strip()
    return Folder(Path()).spell(Module(Path(), tree), tree)


def _relative(item: BookEntry, path: Path) -> str:
    return path.relative_to(item.folder).as_posix()
