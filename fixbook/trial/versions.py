"""The reader's releases beside those that the steps were recorded with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.environment import installed_version

if TYPE_CHECKING:
    from fixbook.recipe.author import Step
    from fixbook.trial.stage import Stage


def recorded_versions(stage: Stage) -> dict[str, str]:
    """Return the releases that the steps shown here were recorded with, by distribution."""
    found: dict[str, str] = {}
    for steps in (stage.run, stage.other):
        for step in steps if not found else ():
            if record := stage.record(step.name):
                found |= record.versions
    return dict(sorted(found.items(), key=lambda pair: _order(pair[0])))


def own_versions(stage: Stage) -> dict[str, str | None]:
    """Return the reader's releases of the same distributions; None for one that is not here."""
    return {name: installed_version(name) for name in recorded_versions(stage)}


def with_own_releases(stage: Stage, step: Step, title: str) -> str:
    """Name the reader's releases in the title of a step where it names those of the evidence.

    Args:
        stage: The entry.
        step: A step that ran on the reader's releases, but for those that it pins.
        title: What it does, in the words of the page: "built in 5.23.0".
    """
    record = stage.record(step.name)
    pinned = {text.partition("==")[0] for text in step.needs.versions}
    for name, there in (record.versions if record else {}).items():
        here = installed_version(name)
        if here and name not in pinned:
            bare = re.escape(there.partition("+")[0])
            title = re.sub(rf"(?<![\d.]){bare}(?![\d.]*\d)", here.partition("+")[0], title)
    return title


def never_executed(stage: Stage) -> list[str]:
    """Return the reader's releases of what steps pin that no step has been recorded with."""
    executed: dict[str, set[str]] = {}
    for step in stage.outline.steps:
        if record := stage.record(step):
            pins = dict(text.split("==") for text in record.overlay)
            for name, version in {**record.versions, **pins}.items():
                executed.setdefault(name, set()).add(version.partition("+")[0])
    about = dict.fromkeys(step.needs.versions[0].partition("==")[0] for step in stage.other)
    mine = ((name, installed_version(name)) for name in about)
    return [
        f"{name} {version}"
        for name, version in mine
        if version and version.partition("+")[0] not in executed.get(name, set())
    ]


def _order(name: str) -> tuple[bool, str]:
    return name != "torch", name
