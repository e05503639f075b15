"""The reader's versions beside those of the evidence, in columns."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from fixbook.cli.wrapping import cells, padded, wrap
from fixbook.environment import machine
from fixbook.text import _, in_language
from fixbook.trial.bounds import outside_here
from fixbook.trial.versions import own_versions, recorded_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.recipe.record import MachineRecord
    from fixbook.text import Lang
    from fixbook.trial.stage import Stage

WIDTH = 100
_GAP = 2


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


def outside_lines(stage: Stage, lang: Lang) -> Iterator[str]:
    """Yield what the page says of the reader's releases that lie beyond a boundary of it.

    Args:
        stage: The entry.
        lang: The language.
    """
    for one in outside_here(stage):
        said = _("Boundary on the page: {said}").format(said=in_language(one.said(), lang))
        if one.sure != "executed":
            said = _("{said} (not executed)").format(said=said)
        if one.note:
            note = one.note[lang].rstrip(".。")
            said = _("{said} ({note})").format(said=said, note=note)
        yield wrap(said, WIDTH, "", "  ")


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
