"""A fix does all that its control does: what ``differs`` excuses is more or other, never less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.calls import Calls
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading


def nothing_removed(reading: Reading) -> Iterator[Problem]:
    """Check that no step with ``differs`` leaves out a call or an argument of its control.

    A failure that is never provoked is no failure mended; what a step leaves out has to be the
    only thing that it differs in, or it has to be reached in another way.
    """
    for item in reading.entries:
        outline = reading.outline(item)
        calls = Calls(item.folder)
        for name, claims in item.entry.steps.items():
            step = outline.steps.get(name)
            if claims.differs is None or step is None or step.kind not in {"fix", "detect"}:
                continue
            if step.control not in outline.steps:
                continue  # reported where controls are checked
            left_out = calls.asked(outline.code[step.control]) - calls.reached(outline.code[name])
            if left_out:
                what = _("step {step!r} leaves out {what} of its control, which 'differs' excuses")
                what = what.format(step=name, what=", ".join(sorted(left_out)))
                mend = _(
                    "do it in both, through one function; "
                    "what the fix itself leaves out is a step that differs in that alone"
                )
                yield Problem(item.source.where(("steps", name, "differs")), what, mend)
