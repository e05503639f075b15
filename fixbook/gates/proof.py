"""Every entry is proven on a CPU, or stands on the exemption list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.reading import Outline

EXEMPT = "exempt-from-proof.txt"


def executable_proof(reading: Reading) -> Iterator[Problem]:
    """Check that recipes prove what entries claim, and that no exemption is idle."""
    path = reading.book.root / EXEMPT
    exempt = read_list(path)
    yield from wrong_lines(path, exempt, reading)
    for item in reading.entries:
        outline = reading.outline(item)
        lacking = list(_lacking(outline))
        if item.slug in exempt and not lacking:
            yield idle(path, item.slug)
        elif item.slug not in exempt:
            yield from (Problem(str(item.recipe), *text) for text in lacking)
        yield from _steps_match(item, outline)
        yield from _all_executed(item, outline)
        yield from _measured_both_ways(item, outline)


def wrong_lines(path: Path, exempt: list[str], reading: Reading) -> Iterator[Problem]:
    """Yield what is wrong with a list of exemptions itself: its order, and names of no entry."""
    yield from sorted_list(path, exempt)
    for slug in exempt:
        if slug not in reading.book.entries:
            what = _("exempts {slug!r}, which is no entry").format(slug=slug)
            yield Problem(str(path), what, _("remove the line"))


def idle(path: Path, slug: str) -> Problem:
    """Return the problem of an exemption that its entry does not need."""
    what = _("exempts {slug!r} without need").format(slug=slug)
    return Problem(str(path), what, _("remove the line"))


def _lacking(outline: Outline) -> Iterator[tuple[str, str]]:
    on_cpu = {step.kind for step in outline.steps.values() if step.needs.on in {"any", "cpu"}}
    if not on_cpu & {"reproduce", "detect"}:
        mend = _("add a @reproduce or @detect step with on='cpu'")
        yield _("shows the failure on no CPU"), mend
    if "fix" not in on_cpu:
        yield _("shows no fix on a CPU"), _("add a @fix step with on='cpu'")


def _steps_match(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    for name in outline.steps.keys() - item.entry.steps.keys():
        mend = _("describe it under {key} in entry.yaml").format(key=f"steps.{name}")
        what = _("step {step!r} is not in the entry").format(step=name)
        yield Problem(str(item.recipe), what, mend)
    for name in item.entry.steps.keys() - outline.steps.keys():
        where = item.source.where(("steps", name))
        what = _("step {step!r} is not in recipe.py").format(step=name)
        yield Problem(where, what, _("remove it or write the step"))


def _all_executed(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    """Every fix and non-fix has a step, and every step executes one that exists."""
    for kind, field in (("fix", "fixes"), ("non_fix", "non_fixes")):
        written = {listed.id: index for index, listed in enumerate(getattr(item.entry, field))}
        executed = {step.target for step in outline.steps.values() if step.kind == kind}
        for name in written.keys() - executed:
            where = item.source.where((field, written[name]))
            mend = _("write a @{kind}({name!r}) step, or leave the advice out")
            what = _("{name!r} is not executed by any step").format(name=name)
            yield Problem(where, what, mend.format(kind=kind, name=name))
        for name in executed - written.keys():
            mend = _("describe it under {key} in entry.yaml").format(key=field)
            what = _("@{kind}({name!r}) is not in the entry").format(kind=kind, name=name)
            yield Problem(str(item.recipe), what, mend)


def _measured_both_ways(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    """A measurement that is only seen true, or only seen false, tells nothing apart."""
    seen = {step.found for step in outline.steps.values() if step.kind == "detect"}
    if seen and seen != {True, False}:
        mend = _("measure the broken variant (found=True) and the fixed one (found=False)")
        yield Problem(str(item.recipe), _("its detect steps see only one side"), mend)
    detects = {name for name, step in outline.steps.items() if step.kind == "detect"}
    for name in set(item.entry.detect.steps) - detects:
        where = item.source.where(("detect", "steps"))
        what = _("{name!r} is not a detect step").format(name=name)
        yield Problem(where, what, _("name steps marked with @detect"))


def read_list(path: Path) -> list[str]:
    """Read a list file: one name a line, ``#`` begins a comment."""
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def sorted_list(path: Path, names: list[str]) -> Iterator[Problem]:
    """Check that a list file is sorted and free of repetition."""
    if names != sorted(set(names)):
        what = _("is not sorted, or repeats a line")
        yield Problem(str(path), what, _("sort it and drop repetitions"))
