"""What stands beside each finding: kept as data, written as a page."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HEAD = """\
# Findings of audits, held beside runs

Written by `python -m bench.audits`; nobody types it. Five environments are audited, see
`bench/audits/lists`. *Recorded*: the evidence of the book has a step that failed on the very
release. *Run*: the steps of the entry ran here on that release, and one showed the failure.
*Between*: no step can run there, and the records have it on an older and on a newer release within
the boundary. *Not shown*: steps ran, and none showed it. *Stopped*: another error ended each, or
nothing could be installed. *No step*: none of these. *Said so*: the finding itself says that it
was read or stated, and not run.

| list | packages | findings | recorded | run | between | not shown | stopped | no step | said so |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""
STATES = ("recorded", "run", "between", "not shown", "stopped", "no step", "said so")


@dataclass(frozen=True, slots=True)
class Row:
    """What stands beside one finding.

    Attributes:
        entry: The entry.
        release: The release that it accuses, such as ``trl==0.17.0``.
        says: ``warning`` or ``note``, and what it says of releases.
        state: One of `STATES`.
        seen: The step, and what it showed.
    """

    entry: str
    release: str
    says: str
    state: str
    seen: str


@dataclass(frozen=True, slots=True)
class Listed:
    """One environment: how many packages it has, and its findings."""

    packages: int
    rows: tuple[Row, ...]


Lists = dict[str, Listed]


def read(path: Path) -> Lists:
    """Read what is known."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {
        name: Listed(one["packages"], tuple(Row(**row) for row in one["rows"]))
        for name, one in known.items()
    }


def written(lists: Mapping[str, Listed]) -> str:
    """Return the file that `read` reads."""
    plain = {name: asdict(one) for name, one in lists.items()}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def page(lists: Mapping[str, Listed]) -> str:
    """Return the page, in Markdown."""
    parts = [_HEAD + "\n".join(_line(name, one) for name, one in lists.items())]
    for name, one in lists.items():
        if one.rows:
            head = "| entry | release | says | beside it | seen |\n|---|---|---|---|---|\n"
            parts.append(f"## {name}\n\n{head}" + "\n".join(map(_row, one.rows)))
    return "\n\n".join(parts) + "\n"


def _line(name: str, listed: Listed) -> str:
    counts = Counter(row.state for row in listed.rows)
    cells = " | ".join(str(counts[state]) for state in STATES)
    return f"| {name} | {listed.packages} | {len(listed.rows)} | {cells} |"


def _row(row: Row) -> str:
    cells = (row.entry, row.release.replace("==", " "), row.says, row.state, row.seen)
    return "| " + " | ".join(_cell(one) for one in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
