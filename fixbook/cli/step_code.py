"""``fixbook run SLUG --show STEP``: the code of a step, and what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fixbook.recipe.reading import differences
from fixbook.text import _
from fixbook.trial.stage import step_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.text import Lang
    from fixbook.trial.stage import Stage


def step_code(stage: Stage, name: str, lang: Lang) -> str:
    """Return what a step runs, and what it differs from its control in.

    Args:
        stage: The entry.
        name: The step.
        lang: Language of its title.

    Raises:
        BookError: There is no such step.
    """
    return "\n".join(_parts(stage, name, lang))


def _parts(stage: Stage, name: str, lang: Lang) -> Iterator[str]:
    step, entry = step_named(stage.outline, name), stage.item.entry
    title = entry.title_of(name, step.target)
    yield click.style(title.of(lang) if title else name, bold=True)
    yield f"{stage.item.folder / step.file}"
    if step.needs.versions:
        yield _("On {versions}").format(versions=", ".join(step.needs.versions))
    if simulated := entry.simulated_in(name):
        yield _("Stand-in: {text}").format(text=simulated.of(lang))
    yield ""
    yield stage.outline.code[name]
    if step.control:
        yield ""
        yield _("What it changes, beside {control}:").format(control=step.control)
        changes = differences(stage.outline, name, step.control)
        yield from (f"  {change}" for change in changes or [_("nothing but what it measures")])
