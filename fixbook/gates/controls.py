"""Every fix and non-fix names the failing step that it differs from in one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.difference import differences
from fixbook.recipe.outline import Outline, read_outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry
    from fixbook.recipe.steps import Step

_NAME_ONE = "write control='STEP', the failing step that it differs from in one thing"


def steps_have_controls(book: Book) -> Iterator[Problem]:
    """Check that controls exist, can fail, and differ from their step in one thing alone."""
    for item in book.entries.values():
        outline = read_outline(item.recipe)
        for step in outline.steps.values():
            yield from _controlled(item, outline, step)


def can_fail(step: Step) -> bool:
    """Tell whether a step shows the failure: only such a step can be a control."""
    return step.kind == "reproduce" or (step.kind == "detect" and bool(step.found))


def _controlled(item: BookEntry, outline: Outline, step: Step) -> Iterator[Problem]:
    where = item.source.where(("steps", step.name))
    claims = item.entry.steps.get(step.name)
    if step.kind == "non_fix" and claims and not claims.in_force:
        mend = "write in_force: {measure: condition}, which does not hold on its control"
        yield Problem(where, f"{step.name!r} does not show that the advice was in force", mend)
    if not step.control:
        if step.kind in {"fix", "non_fix"}:
            yield Problem(str(item.recipe), f"step {step.name!r} has no control", _NAME_ONE)
        return
    control = outline.steps.get(step.control)
    if control is None:
        what = f"{step.control!r}, the control of {step.name!r}, is no step"
        yield Problem(str(item.recipe), what, f"use one of: {', '.join(outline.steps)}")
        return
    if not can_fail(control):
        what = f"{step.control!r}, the control of {step.name!r}, shows no failure"
        yield Problem(str(item.recipe), what, "use a @reproduce or a @detect(found=True) step")
    yield from _one_difference(item, outline, step, where)


def _one_difference(item: BookEntry, outline: Outline, step: Step, where: str) -> Iterator[Problem]:
    found = differences(outline, step.name, step.control)
    claims = item.entry.steps.get(step.name)
    explained = claims is not None and claims.differs is not None
    if not found:
        what = f"step {step.name!r} is the same as its control {step.control!r}"
        yield Problem(str(item.recipe), what, "pass it the fix")
    elif len(found) > 1 and not explained:
        what = f"step {step.name!r} differs from its control in {len(found)} things: "
        mend = (
            f"let both call one function with one other argument, or say under "
            f"steps.{step.name}.differs what else differs and why that does not matter"
        )
        yield Problem(str(item.recipe), what + "; ".join(found), mend)
    elif len(found) == 1 and explained:
        what = f"steps.{step.name}.differs explains what does not differ ({found[0]} alone does)"
        yield Problem(where, what, "remove it")
