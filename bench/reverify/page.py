"""What steps showed on other releases: kept as data, written as a page, compared with the last."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.versions import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from fixbook.book import Boundary

_HEAD = """\
# The book on other releases

Written by `make reverify`; what stands here was run, and nobody types it. Evidence is of the
pinned releases. Here the steps that import a library ran on another release of it: the first
failure, the first measurement and the first fix of each entry, unless `--all` was asked for.
*As said* means that the run showed what the page says. *Bounded* means that it did not, and the
page names a boundary of that package. *Explained* means that it did not, and what differs is known
and stands below (`bench/reverify/explained.yaml`). *Changed* means that it did not, and nothing
says why yet. *Stopped* means that another error came first.

| releases | run on | entries | steps | as said | bounded | explained | stopped | changed |
|---|---|---:|---:|---:|---:|---:|---:|---:|
"""
_STOPPED = {"stopped by another error", "shows nothing here", "not run"}
_LONGEST = 200  # characters of a cell


@dataclass(frozen=True, slots=True)
class Row:
    """What one step showed on one set of releases.

    Attributes:
        shows: As `fixbook run` says it, such as ``does not happen here``.
        said: What was seen that decides it.
        as_said: Whether all was as on the page.
        bounded: Whether the page names a boundary beyond which the release lies.
        day: When it ran, as ``2026-11-24``.
        why: What is known of the difference; empty if nothing is.
    """

    shows: str
    said: str
    as_said: bool
    bounded: bool
    day: str
    why: str = ""

    @property
    def state(self) -> str:
        """The column it counts in."""
        if self.as_said:
            return "as said"
        if self.bounded:
            return "bounded"
        if self.why:
            return "explained"
        return "stopped" if self.shows in _STOPPED else "changed"


Rows = dict[str, dict[str, Row]]  # by set of releases, then by slug/step


def outside(boundaries: Iterable[Boundary], releases: Mapping[str, str]) -> bool:
    """Tell whether one of the releases lies where an entry does not say that its failure is.

    Args:
        boundaries: Those of the entry.
        releases: The set, by package; see `releases_of`.
    """
    return any(
        place_of(at, row.last_good, row.first_bad, row.first_fixed) != "within"
        for row in boundaries
        if (at := releases.get(canonicalize_name(row.package)))
    )


def releases_of(name: str) -> dict[str, str]:
    """Return a set of releases by package, such as that of ``peft==0.17.1,trl==1.5.0``."""
    pairs = (part.strip().partition("==") for part in name.split(","))
    return {canonicalize_name(package): version for package, _, version in pairs}


def read(path: Path) -> Rows:
    """Read what is known."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {name: {step: Row(**row) for step, row in rows.items()} for name, rows in known.items()}


def written(rows: Rows) -> str:
    """Return the file that `read` reads."""
    plain = {
        name: {step: asdict(row) for step, row in sorted(steps.items())}
        for name, steps in sorted(rows.items())
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def differences(before: Mapping[str, Row], now: Mapping[str, Row]) -> list[str]:
    """Return a line for each step that shows something else than the last time."""
    return [
        f"{name}: {before[name].shows} → {row.shows}"
        for name, row in sorted(now.items())
        if name in before and before[name].shows != row.shows
    ]


def page(rows: Rows) -> str:
    """Return the page, in Markdown."""
    table = "\n".join(_line(name, steps) for name, steps in sorted(rows.items()))
    parts = [_HEAD + table]
    for name, steps in sorted(rows.items()):
        told = [row for row in steps.items() if not row[1].as_said]
        if told:
            parts.append(f"## {_plain(name)}\n\n" + _table(sorted(told)))
    return "\n\n".join(parts) + "\n"


def _line(name: str, steps: Mapping[str, Row]) -> str:
    counts = Counter(row.state for row in steps.values())
    entries = len({step.partition("/")[0] for step in steps})
    days = sorted({row.day for row in steps.values()})
    ran = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    states = ("as said", "bounded", "explained", "stopped", "changed")
    found = " | ".join(str(counts[one]) for one in states)
    return f"| {_plain(name)} | {ran} | {entries} | {len(steps)} | {found} |"


def _table(rows: Sequence[tuple[str, Row]]) -> str:
    head = "| step | state | what it showed |\n|---|---|---|\n"
    lines = (f"| `{name}` | {row.state} | {_cell(row)} |" for name, row in rows)
    return head + "\n".join(lines)


def _cell(row: Row) -> str:
    text = f"{row.shows}: {row.said}" if row.said else row.shows
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    short += f" **{row.why}**" if row.state == "explained" else ""
    return " ".join(short.replace("|", "\\|").replace("<", "&lt;").split())


def _plain(name: str) -> str:
    return ", ".join(part.replace("==", " ") for part in name.split(","))
