"""The reader's versions beside those of the evidence, in columns."""

from __future__ import annotations

import platform
import re
from typing import TYPE_CHECKING

from fixbook.cli.wrapping import cells, padded
from fixbook.environment import installed_version, machine
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.cli.stage import Stage
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import MachineRecord

WIDTH = 100
_GAP = 2


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


def environments(stage: Stage) -> Iterator[str]:
    """Yield the lines that compare the two, in as many blocks as the width asks for."""
    here = machine()
    recorded = next(iter(stage.evidence.values()), None)
    theirs = recorded_versions(stage)
    columns = [("", _("Yours"), _("On the page"))]
    there = recorded.machine if recorded else None
    columns.append(("python", platform.python_version(), there.python if there else "–"))
    columns += [(name, own or "–", theirs[name]) for name, own in own_versions(stage).items()]
    day = f" ({recorded.recorded[:10]})" if recorded else ""
    columns.append(("", _device([gpu.name for gpu in here.gpus]), _of_record(there) + day))
    yield from _blocks(columns)


def _order(name: str) -> tuple[bool, str]:
    return name != "torch", name


def _of_record(there: MachineRecord | None) -> str:
    return _device([gpu.name for gpu in there.gpus]) if there else "–"


def _device(gpus: list[str]) -> str:
    return gpus[0] if gpus else _("no GPU")


def _blocks(columns: list[tuple[str, str, str]]) -> Iterator[str]:
    (_none, *labels), *others = columns
    indent = max(map(cells, labels)) + _GAP
    rows = [padded(label, indent) for label in labels]
    for name, *values in others:
        texts = [f"{name} {value}".strip() for value in values]
        width = max(map(cells, texts)) + _GAP
        if cells(rows[0]) + width > WIDTH + _GAP:
            yield from (row.rstrip() for row in rows)
            rows = [padded(label, indent) for label in labels]
        rows = [row + padded(text, width) for row, text in zip(rows, texts, strict=True)]
    yield from (row.rstrip() for row in rows)
