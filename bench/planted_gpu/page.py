"""The page on planted mistakes: what found each, without a card."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.planted_gpu.checks import CHECKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.planted_gpu.mistakes import Mistake

_HEAD = """\
# Mistakes in GPU code, found without a card

Written by `make planted-gpu`; nobody types it. Each mistake is planted into a copy of an entry that
is sound, alone. Then it is asked what finds it: the step on a CPU, as the suite runs it; the gates
of `fixbook lint`; a rehearsal on GPUs that stand in (`docs/rehearsal.md`); CUDA's compiler for
`sm_80`, `sm_90` and `sm_120` (`make kernels`). The gate that asks for a new record after any change
of a recipe does not count. Where nothing finds a mistake, the row says what only a card can say.
"""
_LONGEST = 180  # characters of a cell


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a mistake.

    Attributes:
        mistake: What was planted.
        found: What each check that found it said.
        seconds: How long all checks took, those of the sound entry among them.
    """

    mistake: Mistake
    found: dict[str, str]
    seconds: float


def shown(row: Row) -> str:
    """Return a row of the table."""
    mistake = row.mistake
    where = f"`{mistake.slug}/{mistake.step}`" if mistake.step else f"`{mistake.slug}`"
    by = ", ".join(name for name in CHECKS if name in row.found) or "nothing"
    said = next((row.found[name] for name in reversed(CHECKS) if name in row.found), "")
    said = said or f"only a card can say: {mistake.why_not or '?'}"
    return f"| {mistake.name} | {where} | {by} | {_cell(said)} |"


def page(rows: Sequence[Row]) -> str:
    """Return the page, in Markdown."""
    found = [row for row in rows if row.found]
    counts = Counter(name for row in found for name in row.found)
    alone = Counter(next(iter(row.found)) for row in found if len(row.found) == 1)
    minutes = sum(row.seconds for row in rows) / 60
    total = f"{len(found)} of {len(rows)} are found, in {minutes:.0f} minutes."
    checks = [f"| {name} | {counts[name]} | {alone[name]} |" for name in CHECKS]
    head = "| mistake | where | found by | what was said |\n|---|---|---|---|"
    return "\n".join(
        [
            _HEAD,
            total,
            "",
            "| check | finds | finds alone |\n|---|---:|---:|",
            *checks,
            "",
            head,
            *map(shown, rows),
            "",
        ]
    )


def _cell(text: str) -> str:
    flat = " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
    return flat if len(flat) <= _LONGEST else flat[:_LONGEST] + " …"
