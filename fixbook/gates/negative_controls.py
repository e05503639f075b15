"""The measurement of an entry is made on its recommended fix too, and finds nothing there."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from fixbook.gates.calls import Calls
from fixbook.gates.proof import idle, read_list, wrong_lines
from fixbook.problem import Problem
from fixbook.recipe.reading import differences, parse
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.author import Step
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import StepRecord

EXEMPT = "exempt-from-negative-control.txt"


def measured_on_the_fix(reading: Reading) -> Iterator[Problem]:
    """Check that each measurement was made on the first fix, and that no exemption is idle.

    A measurement that stops healthy runs is worse than none, and those who have taken the
    recommended way are the first whom it would stop.
    """
    path = reading.book.root / EXEMPT
    exempt = read_list(path)
    yield from wrong_lines(path, exempt, reading)
    for item in reading.asked:
        measured = _is_measured(item, reading)
        if item.slug in exempt and measured:
            yield idle(path, item.slug)
        elif item.slug not in exempt and not measured:
            what = _("its measurement was never made on the fix {fix!r}")
            mend = _(
                "let a @fix step of it measure and return found, or write a "
                "@detect(found=False) step that differs from its control in that fix"
            )
            yield Problem(str(item.recipe), what.format(fix=item.entry.fixes[0].id), mend)


def _is_measured(item: BookEntry, reading: Reading) -> bool:
    outline, fix = reading.outline(item), item.entry.fixes[0]
    mends = [s for s in outline.steps.values() if s.kind == "fix" and s.target == fix.id]
    clear = [s for s in outline.steps.values() if s.kind == "detect" and not s.found]
    calls = Calls(item.folder)
    found = (record.measures.get("found") for step in mends for record in _of(item, step, reading))
    if any(value is False for value in found):
        return True
    return any(
        any(fix.snippet in record.snippets for record in _of(item, step, reading))
        or any(_holds(outline, calls, step, mend) for mend in mends)
        for step in clear
    )


def _of(item: BookEntry, step: Step, reading: Reading) -> Iterator[StepRecord]:
    for evidence in reading.evidence(item).values():
        if step.name in evidence.steps and evidence.steps[step.name].verdict == "passed":
            yield evidence.steps[step.name]


def _holds(outline: Outline, calls: Calls, step: Step, mend: Step) -> bool:
    """Tell whether a step does what sets a fix off from its control."""
    if mend.control not in outline.steps:
        return False
    mends = set(differences(outline, mend.name, mend.control))
    body = ast.unparse(parse(textwrap.dedent(outline.code[step.name])))
    if mends and all("=" in part and part in body for part in mends):
        return True
    others = step.control in outline.steps and differences(outline, step.name, step.control)
    if mends and mends <= set(others or ()):
        return True
    mine, control, other = (outline.code[n] for n in (mend.name, mend.control, step.name))
    new = calls.reached(mine) - calls.reached(control)
    return bool(new) and new <= calls.reached(other)
