"""What ``check --fix`` may have changed: what its safe fixes name, and nothing else."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.patch import mended
from fixbook.config.pins import pin
from fixbook.config.read import decoded, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.check import Report
    from fixbook.config.setting import ConfigDocument

_ROUNDS = 6


def unintended(files: dict[str, bytes], tool: str, name: str, after: bytes) -> str:
    """Say what changed in a file that no safe fix names; empty if nothing did.

    Args:
        files: What was checked together, by name, before.
        tool: What they are for, as ``--tool`` has it.
        name: The file that changed.
        after: What it holds now.
    """
    documents = list(_documents(files, tool))
    document = next(one for one in documents if str(one.path) == name)
    named = set(_named(document, documents))
    old, new = (_values(document.kind, raw) for raw in (files[name], after))
    if old is None:
        return _unintended_lines(files[name], after, named)
    if new is None:
        return "it cannot be read any more"
    changed = {path for path in {**old, **new} if old.get(path) != new.get(path)}
    rest = [p for p in changed if not any(p == key or p.startswith(key + ".") for key in named)]
    return f"{rest[:3]} changed, fixes name {sorted(named)}" if rest else ""


def _documents(files: dict[str, bytes], tool: str) -> Iterator[ConfigDocument]:
    name, _, version = tool.partition("@")
    for path, raw in files.items():
        with contextlib.suppress(ConfigError):
            document = parse(decoded(raw, path), Path(path), name, version or None)
            pin(document)  # as the command does: a fix may be for the installed release alone
            yield document


def _named(document: ConfigDocument, documents: list[ConfigDocument]) -> Iterator[str]:
    """The keys that the safe fixes name, of a file and of what its fixes uncover."""
    report = check(documents)
    yield from _keys(report, document)
    now = document
    for _ in range(_ROUNDS):
        text = mended(
            now,
            [item for item in report.findings if item.document is now and item.applies == "safe"],
        )[0]
        if text == now.text:
            return
        sections = now.sections
        now = parse(text, document.path)
        known = [
            replace(before, settings=one.settings)
            for one, before in zip(now.sections, sections, strict=False)
        ]
        now.sections[: len(known)] = known
        report = check([now])
        yield from _keys(report, now)


def _keys(report: Report, document: ConfigDocument) -> Iterator[str]:
    for finding in report.findings:
        if finding.document is document and finding.applies == "safe":
            for operation in finding.fix:
                verbs = ("rename", "to", "remove", "set")
                yield from (operation[verb] for verb in verbs if operation.get(verb))


def _values(kind: str, raw: bytes) -> dict[str, Any] | None:
    """The values of a document by path; None for a program."""
    text = raw.decode("utf-8-sig")
    try:
        if kind == "yaml":
            return dict(_flat(yaml.load(text, Loader=yaml.CSafeLoader), ""))
        if kind == "json":
            return dict(_flat(json.loads(text), ""))
    except (ValueError, yaml.YAMLError):
        return None
    return None


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _flat(below, f"{path}.{key}" if path else str(key))
    else:
        yield path, repr(value)


def _unintended_lines(before: bytes, after: bytes, named: set[str]) -> str:
    """Lines that went or came and say nothing of what is named."""
    old, new = (
        [
            line.rstrip(" \\") for line in raw.decode("utf-8-sig").splitlines()
        ]  # a line may end a command
        for raw in (before, after)
    )
    words = {name.rpartition(".")[2].lstrip("-") for name in named}
    different = [
        line for line in [*old, *new] if old.count(line) != new.count(line) and line.strip()
    ]
    rest = [line for line in different
            if not any(w in line or w.replace("_", "-") in line for w in words)]  # fmt: skip
    return f"{rest[:3]} changed, fixes name {sorted(named)}" if rest else ""
