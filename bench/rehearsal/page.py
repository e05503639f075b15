"""The page on steps of GPUs: what was checked without a card, and what only a card can say."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

_HEAD = """\
# Steps of GPUs, without a card

Written by `make rehearse`; what stands here was run, and nobody types it. Each step ran in torch's
build for CUDA on GPUs that stand in (`fixbook/recipe/helpers/gpu`): the allocator, the checks of
devices, dtypes and shapes, and the texts of errors are the published ones; values are computed on
the CPU; no kernel ran. *Holds* means that the run showed all that the entry claims of this step on
a GPU. *Open* means that it met what only a card can say. *Not run* are those that have changed
since, or that no rehearsal has come to yet: it begins with a failure and its first fix of each
entry. Steps on `cpu` are about installation, files, launchers or numbers of a CPU, and have nothing
to rehearse. None of this is a record of a GPU.

| steps on | entries | steps | hold | open | do not hold | not run |
|---|---:|---:|---:|---:|---:|---:|
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
        stand_in: Of the code of the GPUs that stood in; empty where that was not kept.
    """

    on: str
    verdict: str
    said: str
    left: str
    seconds: float
    digest: str
    stand_in: str = ""


def left_of(ranks: int, log: str) -> str:
    """Return what only a card can say of a step that holds.

    Args:
        ranks: Its processes.
        log: Its output.
    """
    if "a kernel's assertion fails here" in log:
        return _ASSERTED
    return _NCCL if ranks > 1 else _ROUNDING


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a book.

    Attributes:
        rows: What the steps that were run have shown, by ``slug/step``.
        steps: How many steps each entry has, by what they ask for and then by slug.
        stand_in: Of the code of the GPUs that stood in, as it was when this was written.
    """

    rows: dict[str, Row]
    steps: dict[str, dict[str, int]]
    stand_in: str = ""


def read(path: Path) -> Known:
    """Read what is known."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {"rows": {}, "steps": {}}
    rows = {name: Row(**fields) for name, fields in known["rows"].items()}
    return Known(rows, known["steps"], known.get("stand_in", ""))


def written(known: Known) -> str:
    """Return the file that `read` reads."""
    rows = {name: asdict(known.rows[name]) for name in sorted(known.rows)}
    plain = {"steps": known.steps, "rows": rows, "stand_in": known.stand_in}
    return json.dumps(plain, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def page(known: Known) -> str:
    """Return the page, in Markdown."""
    rows = known.rows
    table = [_line(kind, known, [kind]) for kind in sorted(known.steps)]
    minutes = sum(row.seconds for row in rows.values()) / 60
    took = f"Time of the steps that were run, one after the other: {minutes:.0f} minutes."
    head = "| step | on | without a card | only a card can say |\n|---|---|---|---|"
    steps = [
        f"| `{name}` | {row.on} | {row.verdict}: {_cell(row.said)} | {_cell(row.left)} |"
        for name, row in sorted(rows.items())
    ]
    counted = _HEAD + "\n".join([*table, _line("all", known, list(known.steps))])
    parts = [counted, f"{took} {_earlier(known)}", "\n".join([head, *steps]), *_left_out(known)]
    return "\n\n".join(parts) + "\n"


def _earlier(known: Known) -> str:
    count = sum(row.stand_in != known.stand_in for row in known.rows.values())
    return (
        f"{count} of them ran before the code of these GPUs was last changed; they are run again "
        "once the others have been."
    )


def _line(name: str, known: Known, kinds: Collection[str]) -> str:
    entries = {slug for kind in kinds for slug in known.steps[kind]}
    counts = Counter(row.verdict for row in known.rows.values() if row.on in kinds)
    found = " | ".join(str(counts[verdict]) for verdict in ("holds", "open", "fails"))
    steps = sum(sum(known.steps[kind].values()) for kind in kinds)
    left = sum(_not_run(known, kinds).values())
    return f"| {name} | {len(entries)} | {steps} | {found} | {left} |"


def _not_run(known: Known, kinds: Collection[str]) -> Counter[str]:
    """Return how many steps of each entry wait for a rehearsal."""
    asked = [kind for kind in kinds if kind != "cpu"]
    waiting = Counter[str]()
    for kind in asked:
        waiting.update(known.steps[kind])
    waiting.subtract(name.partition("/")[0] for name, row in known.rows.items() if row.on in asked)
    return +waiting


def _left_out(known: Known) -> Iterable[str]:
    waiting = _not_run(known, known.steps)
    if waiting:
        listed = ", ".join(f"`{slug}` {count}" for slug, count in sorted(waiting.items()))
        yield f"Not run, by entry: {listed}."


def _cell(text: str) -> str:
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return " ".join(short.replace("|", "\\|").replace("<", "&lt;").split())


def failing(rows: Mapping[str, Row]) -> Iterable[str]:
    """Yield a line for each step that does not hold."""
    return (f"{name}: {row.said}" for name, row in sorted(rows.items()) if row.verdict == "fails")
