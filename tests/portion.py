"""Which steps one run of the suite takes where not all are asked for.

Those whose record changed lately and what is judged beside them, the first failure and the first
fix of every entry, and of the rest a tenth that the date names: ten days in a row run everything.
Where a change of what all recipes share changed records by the hundred, each of which was a run, a
day takes a third of those, and three days in a row take all.
Steps that are recorded once are among them, to be shown as skipped with their reason. What is left
out is deselected, never shown as passed; `make verify` runs it. Of other tests that take long and
ask the same of many cases, a day takes a part (see `tests.leave_out`).
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fixbook.recipe.reading.outline import Outline

PARTS = 10
MANY = 500  # changed records: more than an edit of some entries brings
TURNS = 3  # days that share them then
ASKED = "FIXBOOK_STEPS"  # "all", which is the default; "today"; or a day such as 2026-11-23
SINCE = "FIXBOOK_SINCE"  # a commit; by default the last one a day older than HEAD


@dataclass(frozen=True, slots=True)
class Portion:
    """What a run takes of the steps.

    Attributes:
        taken: Names such as ``nan-loss-fp16/loss-is-nan``.
        left: How many steps it leaves out.
    """

    taken: frozenset[str]
    left: int


def part_of(day: dt.date) -> int:
    """Return which tenth a day names, from 0."""
    return day.toordinal() % PARTS


def day_asked(asked: str | None) -> dt.date | None:
    """Return the day whose part is asked for; None if all steps are.

    Raises:
        ValueError: The variable holds something else.
    """
    match asked:
        case None | "" | "all":
            return None
        case "today":
            return dt.datetime.now(dt.UTC).date()
    try:
        return dt.date.fromisoformat(asked)
    except ValueError:
        said = f"{ASKED}={asked!r}: expected 'all', 'today' or a day such as 2026-11-23"
        raise ValueError(said) from None


def portion(
    outlines: Mapping[str, Outline], changed: frozenset[str] | None, day: dt.date
) -> Portion:
    """Choose the steps of a day.

    Args:
        outlines: The recipes by slug.
        changed: Names of the steps whose record changed lately; None where that cannot be known,
            and then all steps are chosen.
        day: Names the tenth of the rest.
    """
    every = {f"{slug}/{name}" for slug, outline in outlines.items() for name in outline.steps}
    if changed is None:
        return Portion(frozenset(every), 0)
    if len(changed) > MANY:
        turn = day.toordinal() % TURNS
        changed = frozenset(name for name in changed if _of(name, TURNS) == turn)
    taken: set[str] = set()
    for slug, outline in outlines.items():
        new = {name for name in outline.steps if f"{slug}/{name}" in changed}
        touched = {name for name, step in outline.steps.items() if step.control in new}
        due = {name for name in outline.steps if _part(slug, outline, name) == part_of(day)}
        once = {name for name, step in outline.steps.items() if step.needs.record_once}
        own = new | touched | first_steps(outline) | due | once
        own |= {outline.steps[name].control for name in own} & outline.steps.keys()
        taken |= {f"{slug}/{name}" for name in own}
    return Portion(frozenset(taken), len(every) - len(taken))


def first_steps(outline: Outline) -> set[str]:
    """Return the first failure of a recipe (or measurement, for want of one) and its first fix."""
    by_kind: dict[str, str] = {}
    for name, step in outline.steps.items():
        by_kind.setdefault(step.kind, name)
    failure = by_kind.get("reproduce") or by_kind.get("detect")
    return {name for name in (failure, by_kind.get("fix")) if name}


def _part(slug: str, outline: Outline, name: str) -> int:
    """A step goes with its control, as the two are judged together."""
    together = outline.steps[name].control or name
    return _of(f"{slug}/{together}", PARTS)


def _of(name: str, many: int) -> int:
    return zlib.crc32(name.encode()) % many


def changed_since(root: Path, commit: str | None = None) -> frozenset[str] | None:
    """Return the steps whose recorded digest is not that of an earlier commit.

    A digest covers all that decides a step's run, and no landed record is stale (a gate), so that
    records tell what changed.

    Args:
        root: The checkout.
        commit: Which; by default ``FIXBOOK_SINCE``, else the last a day older than HEAD.

    Returns:
        Their names; None where there is no such commit, as in a shallow clone.
    """
    commit = _since(root, commit)
    paths = changed_paths(root, commit)
    if paths is None:
        return None
    changed: set[str] = set()
    for path in paths:
        parts = path.split("/")
        if parts[0] != "recipes" or parts[2:] != ["evidence", "cpu.json"]:
            continue
        now = _digests((root / path).read_text("utf-8")) if (root / path).exists() else {}
        then = _digests(_git(root, "show", f"{commit}:{path}") or "{}")
        changed |= {f"{parts[1]}/{name}" for name in now if now[name] != then.get(name)}
    return frozenset(changed)


def changed_paths(root: Path, commit: str | None = None) -> list[str] | None:
    """Return the files that are not as they were at an earlier commit.

    Args:
        root: The checkout.
        commit: Which; by default as of `changed_since`.

    Returns:
        Their paths below it; None where there is no such commit.
    """
    commit = _since(root, commit)
    paths = _git(root, "diff", "--name-only", "-z", commit) if commit else None
    return None if paths is None else [path for path in paths.split("\0") if path]


def _since(root: Path, commit: str | None) -> str | None:
    return commit or os.environ.get(SINCE) or _a_day_ago(root)


def _a_day_ago(root: Path) -> str | None:
    head = _git(root, "log", "-1", "--format=%ct")
    if not head:
        return None
    before = int(head) - 24 * 3600
    return (_git(root, "rev-list", "-1", f"--before={before}", "HEAD") or "").strip() or None


def _digests(evidence: str) -> dict[str, str]:
    steps: dict[str, dict[str, str]] = json.loads(evidence).get("steps", {})
    return {name: step.get("digest", "") for name, step in steps.items()}


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
