"""Every fix and non-fix names the failing step that it differs from in one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.reading import differences
from fixbook.recipe.record import can_fail
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.author import Step
    from fixbook.recipe.reading import Outline

_NAME_ONE = N_("write control='STEP', the failing step that it differs from in one thing")


def steps_have_controls(reading: Reading) -> Iterator[Problem]:
    """Check that controls exist, can fail, and differ from their step in one thing alone."""
    for item in reading.entries:
        outline = reading.outline(item)
        for step in outline.steps.values():
            yield from _controlled(item, outline, step)


def _controlled(item: BookEntry, outline: Outline, step: Step) -> Iterator[Problem]:
    where = item.source.where(("steps", step.name))
    claims = item.entry.steps.get(step.name)
    if step.kind == "non_fix" and claims and not claims.in_force:
        mend = _("write in_force: {{measure: condition}}, which does not hold on its control")
        what = _("{step!r} does not show that the advice was in force").format(step=step.name)
        yield Problem(where, what, mend.format())
    if not step.control:
        if step.kind in {"fix", "non_fix"}:
            what = _("step {step!r} has no control").format(step=step.name)
            yield Problem(str(item.recipe), what, _(_NAME_ONE))
        return
    control = outline.steps.get(step.control)
    if control is None:
        what = _("{control!r}, the control of {step!r}, is no step")
        what = what.format(control=step.control, step=step.name)
        mend = _("use one of: {names}").format(names=", ".join(outline.steps))
        yield Problem(str(item.recipe), what, mend)
        return
    if not can_fail(control):
        what = _("{control!r}, the control of {step!r}, shows no failure")
        what = what.format(control=step.control, step=step.name)
        mend = _("use a @reproduce or a @detect(found=True) step")
        yield Problem(str(item.recipe), what, mend)
    yield from _one_difference(item, outline, step, where)


def _one_difference(item: BookEntry, outline: Outline, step: Step, where: str) -> Iterator[Problem]:
    found = differences(outline, step.name, step.control)
    claims = item.entry.steps.get(step.name)
    explained = claims is not None and claims.differs is not None
    if not found:
        what = _("step {step!r} is the same as its control {control!r}")
        what = what.format(step=step.name, control=step.control)
        yield Problem(str(item.recipe), what, _("pass it the fix"))
    elif len(found) > 1 and not explained:
        what = _("step {step!r} differs from its control in {count} things: {things}")
        what = what.format(step=step.name, count=len(found), things="; ".join(found))
        mend = _(
            "let both call one function with one other argument, or say under "
            "steps.{step}.differs what else differs and why that does not matter"
        )
        yield Problem(str(item.recipe), what, mend.format(step=step.name))
    elif len(found) == 1 and explained:
        what = _("steps.{step}.differs explains what does not differ ({thing} alone does)")
        yield Problem(where, what.format(step=step.name, thing=found[0]), _("remove it"))
