"""Every step of an entry is listed in recipe.py, where a reader looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading


def listed_steps(reading: Reading) -> Iterator[Problem]:
    """Check that no step is declared in a ``proof_*.py``: those hold machinery alone."""
    for item in reading.entries:
        for name, step in reading.outline(item).steps.items():
            if step.file != item.recipe.name:
                what = _("step {step!r} is declared in {file}").format(step=name, file=step.file)
                mend = _("declare it in recipe.py, in the order in which a reader would try it")
                yield Problem(str(item.folder / step.file), what, mend)
