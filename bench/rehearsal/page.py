"""The page on steps of GPUs: what was checked without a card, and what only a card can say."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_HEAD = """\
# Steps of GPUs, without a card

Written by `make rehearse`; what stands here was run, and nobody types it. Each step ran in torch's
build for CUDA on GPUs that stand in (`fixbook/recipe/helpers/gpu`): the allocator, the checks of
devices, dtypes and shapes, and the texts of errors are the published ones; values are computed on
the CPU; no kernel ran. *Holds* means that the run showed all that the entry claims of this step on
a GPU. *Open* means that it met what only a card can say. None of this is a record of a GPU.

| steps on | entries | steps | hold | open | do not hold |
|---|---:|---:|---:|---:|---:|
"""
_ASSERTED = "the text of the kernel's assertion, and at which call it is noticed"
_NCCL = "NCCL: here the ranks talked by gloo"
_LONGEST = 300  # characters of a cell
_ROUNDING = "how kernels round, and how long they take"


@dataclass(frozen=True, slots=True)
class Row:
    """What one step showed.

    Attributes:
        on: What it asks for: ``any``, ``cuda`` or ``cuda>=N``.
        verdict: ``holds``, ``open`` or ``fails``.
        said: Why.
        left: What only a card can say of it.
        seconds: How long it took.
        digest: Of the step as it ran.
    """

    on: str
    verdict: str
    said: str
    left: str
    seconds: float
    digest: str


def left_of(ranks: int, log: str) -> str:
    """Return what only a card can say of a step that holds.

    Args:
        ranks: Its processes.
        log: Its output.
    """
    if "a kernel's assertion fails here" in log:
        return _ASSERTED
    return _NCCL if ranks > 1 else _ROUNDING


def read(path: Path) -> dict[str, Row]:
    """Read what is known, by ``slug/step``."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {name: Row(**fields) for name, fields in known.items()}


def written(rows: Mapping[str, Row]) -> str:
    """Return the file that `read` reads."""
    plain = {name: asdict(rows[name]) for name in sorted(rows)}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def page(rows: Mapping[str, Row]) -> str:
    """Return the page, in Markdown."""
    kinds = sorted({row.on for row in rows.values()})
    table = [_line(kind, {k: v for k, v in rows.items() if v.on == kind}) for kind in kinds]
    minutes = sum(row.seconds for row in rows.values()) / 60
    took = f"Time of all steps, one after the other: {minutes:.0f} minutes."
    head = "| step | on | without a card | only a card can say |\n|---|---|---|---|"
    steps = [
        f"| `{name}` | {row.on} | {row.verdict}: {_cell(row.said)} | {_cell(row.left)} |"
        for name, row in sorted(rows.items())
    ]
    counted = _HEAD + "\n".join([*table, _line("all", rows)])
    return "\n\n".join([counted, took, "\n".join([head, *steps])]) + "\n"


def _line(kind: str, rows: Mapping[str, Row]) -> str:
    entries = {name.partition("/")[0] for name in rows}
    counts = Counter(row.verdict for row in rows.values())
    found = " | ".join(str(counts[verdict]) for verdict in ("holds", "open", "fails"))
    return f"| {kind} | {len(entries)} | {len(rows)} | {found} |"


def _cell(text: str) -> str:
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return " ".join(short.replace("|", "\\|").replace("<", "&lt;").split())


def failing(rows: Mapping[str, Row]) -> Iterable[str]:
    """Yield a line for each step that does not hold."""
    return (f"{name}: {row.said}" for name, row in sorted(rows.items()) if row.verdict == "fails")
