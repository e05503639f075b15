"""The page on seeded mistakes: how many were caught, and those that were not, with the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from bench.mutants.session import Mutant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_NO_REASON = "**none given: write a test, or say in bench/mutants/reasons.yaml why none can tell**"
_HEAD = """\
# Seeded mistakes

Written by `make mutants`; what stands here was run, and nobody types it. cosmic-ray puts one
mistake at a time into a module of the core, by lot, and runs the tests of that module. A mistake
that no test notices survives; the reasons come from `bench/mutants/reasons.yaml`. A module that
was not run the last time keeps what it had.

| module | mistakes | caught | share |
|---|---:|---:|---:|
"""
_ROW = re.compile(r"^\| `(.+?)` \| (\d+) \| (\d+) \|", re.MULTILINE)
_LEFT = re.compile(r"^- `\w+` (\S+):(\d+)\n  `(.*)` → (?:`(.*)`|\(taken out\))$", re.MULTILINE)


def reasons_of(path: Path) -> dict[str, str]:
    """Return why mistakes may survive, by key."""
    found = yaml.safe_load(path.read_text("utf-8")) if path.exists() else None
    return {str(key): str(reason) for key, reason in (found or {}).items()}


def said_before(text: str) -> Iterator[Mutant]:
    """Yield the mistakes that a page tells of; of those that were caught it says how many.

    Args:
        text: The page as it stands.
    """
    for module, _, caught in _ROW.findall(text):
        yield from [Mutant(module, 0, "", "", killed=True)] * int(caught)
    for module, line, before, after in _LEFT.findall(text):
        yield Mutant(module, int(line), before, after, killed=False)


def page(found: Iterable[Mutant], reasons: Mapping[str, str]) -> str:
    """Return the page, in Markdown.

    Args:
        found: The mistakes that the tests were put to.
        reasons: Why those that survived may, by key.
    """
    every = list(found)
    by_module: dict[str, list[Mutant]] = {}
    for one in every:
        by_module.setdefault(one.module, []).append(one)
    rows = [_row(f"`{module}`", ones) for module, ones in sorted(by_module.items())]
    left = [one for one in every if not one.killed]
    said = [_survivor(one, reasons.get(one.key, _NO_REASON)) for one in left]
    table = "\n".join([*rows, _row("all", every)])
    title = f"\n\n## Not caught: {len(left)}\n\n"
    return _HEAD + table + title + ("\n".join(said) or "None.") + "\n"


def _row(name: str, ones: list[Mutant]) -> str:
    caught = sum(one.killed for one in ones)
    share = f"{caught / len(ones):.0%}" if ones else ""
    return f"| {name} | {len(ones)} | {caught} | {share} |"


def _survivor(one: Mutant, reason: str) -> str:
    after = f"`{one.after}`" if one.after else "(taken out)"
    return f"- `{one.key}` {one.module}:{one.line}\n  `{one.before}` → {after}\n  {reason}"
