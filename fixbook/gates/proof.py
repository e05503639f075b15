"""Every entry is proven on a CPU, or stands on the exemption list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.outline import Outline, read_outline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import Book, BookEntry

EXEMPT = "exempt-from-proof.txt"


def executable_proof(book: Book) -> Iterator[Problem]:
    """Check that recipes prove what entries claim, and that no exemption is idle."""
    path = book.root / EXEMPT
    exempt = read_list(path)
    yield from sorted_list(path, exempt)
    for slug in exempt:
        if slug not in book.entries:
            yield Problem(str(path), f"exempts {slug!r}, which is no entry", "remove the line")
    for item in book.entries.values():
        outline = read_outline(item.recipe)
        lacking = list(_lacking(outline))
        if item.slug in exempt and not lacking:
            yield Problem(str(path), f"exempts {item.slug!r} without need", "remove the line")
        elif item.slug not in exempt:
            yield from (Problem(str(item.recipe), *text) for text in lacking)
        yield from _steps_match(item, outline)
        yield from _all_executed(item, outline)
        yield from _measured_both_ways(item, outline)


def _lacking(outline: Outline) -> Iterator[tuple[str, str]]:
    on_cpu = {step.kind for step in outline.steps.values() if step.needs.on == "cpu"}
    if not on_cpu & {"reproduce", "detect"}:
        yield "shows the failure on no CPU", "add a @reproduce or @detect step with on='cpu'"
    if "fix" not in on_cpu:
        yield "shows no fix on a CPU", "add a @fix step with on='cpu'"


def _steps_match(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    for name in outline.steps.keys() - item.entry.steps.keys():
        mend = f"describe it under steps.{name} in entry.yaml"
        yield Problem(str(item.recipe), f"step {name!r} is not in the entry", mend)
    for name in item.entry.steps.keys() - outline.steps.keys():
        where = item.source.where(("steps", name))
        yield Problem(where, f"step {name!r} is not in recipe.py", "remove it or write the step")


def _all_executed(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    """Every fix and non-fix has a step, and every step executes one that exists."""
    for kind, field in (("fix", "fixes"), ("non_fix", "non_fixes")):
        written = {listed.id: index for index, listed in enumerate(getattr(item.entry, field))}
        executed = {step.target for step in outline.steps.values() if step.kind == kind}
        for name in written.keys() - executed:
            where = item.source.where((field, written[name]))
            mend = f"write a @{kind}({name!r}) step, or leave the advice out"
            yield Problem(where, f"{name!r} is not executed by any step", mend)
        for name in executed - written.keys():
            mend = f"describe it under {field} in entry.yaml"
            yield Problem(str(item.recipe), f"@{kind}({name!r}) is not in the entry", mend)


def _measured_both_ways(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    """A measurement that is only seen true, or only seen false, tells nothing apart."""
    seen = {step.found for step in outline.steps.values() if step.kind == "detect"}
    if seen and seen != {True, False}:
        mend = "measure the broken variant (found=True) and the fixed one (found=False)"
        yield Problem(str(item.recipe), "its detect steps see only one side", mend)
    detects = {name for name, step in outline.steps.items() if step.kind == "detect"}
    for name in set(item.entry.detect.steps) - detects:
        where = item.source.where(("detect", "steps"))
        yield Problem(where, f"{name!r} is not a detect step", "name steps marked with @detect")


def read_list(path: Path) -> list[str]:
    """Read a list file: one name a line, ``#`` begins a comment."""
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def sorted_list(path: Path, names: list[str]) -> Iterator[Problem]:
    """Check that a list file is sorted and free of repetition."""
    if names != sorted(set(names)):
        yield Problem(str(path), "is not sorted, or repeats a line", "sort it and drop repetitions")
