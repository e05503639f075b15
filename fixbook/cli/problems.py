"""How problems of gates are printed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.problem import Problem


def lines(problems: Iterable[tuple[str, Problem]], most: int | None = None) -> Iterator[str]:
    """Yield problems as text: paths as seen from here, what mends several in a row said once.

    Args:
        problems: Problems with the gates that found them.
        most: How many of one gate are shown; the others are counted.
    """
    here = f"{Path.cwd()}{os.sep}"
    by_gate: dict[str, list[Problem]] = {}
    for name, problem in problems:
        by_gate.setdefault(name, []).append(problem)
    for name, found in by_gate.items():
        shown = found[:most]
        for problem, after in zip(shown, [*shown[1:], None], strict=True):
            text = f"{problem.where}: {problem.what}"
            if problem.mend and (after is None or after.mend != problem.mend):
                text += "\n    " + _("mend: {mend}").format(mend=problem.mend)
            yield f"{click.style(f'[{name}]', fg='red')} {text}".replace(here, "")
        if len(found) > len(shown):
            more = _("… {count} more of [{gate}]: 'fixbook lint --gate {gate}' shows all")
            yield more.format(count=len(found) - len(shown), gate=name)
