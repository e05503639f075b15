"""What a scheduler knows of its jobs: ``sacct --json``."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_BYTES = 2 * 1024**3
MOST_NODES = 4096
# How a job ended that did not do what it was for.
FAILED = frozenset(
    ("BOOT_FAIL", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT", "LAUNCH_FAILED")
)
_LIST = re.compile(r"([^,\[\]]*)(?:\[([^\]]*)\])?(?:,|$)")


@dataclass(frozen=True, slots=True)
class Meta:
    """What is known of a job from outside its logs.

    Attributes:
        state: How it ended, in the scheduler's word.
        nodes: The nodes that it ran on.
        gpus: How many GPUs it held; None if that is not told.
        start: When it began, in seconds since 1970; None if it never did.
        end: When it ended.
        restarts: How often the scheduler began it again.
    """

    state: str = ""
    nodes: tuple[str, ...] = ()
    gpus: int | None = None
    start: float | None = None
    end: float | None = None
    restarts: int = 0


def jobs_in(path: Path) -> Iterator[tuple[str, Meta]]:
    """Yield number and metadata of the jobs that ``sacct --json`` printed.

    Raises:
        BookError: It cannot be read, or is something else.
    """
    where, mend = str(path), _("write it with: sacct --json > sacct.json")
    try:
        if path.stat().st_size > MOST_BYTES:
            what = _("is larger than {size} bytes").format(size=MOST_BYTES)
            raise BookError([Problem(where, what, _("give several, each of some months"))])
        told = json.loads(path.read_bytes())
    except OSError as error:
        what = _("cannot be read: {reason}").format(reason=error.strerror)
        raise BookError([Problem(where, what, mend)]) from None
    except (ValueError, RecursionError):
        raise BookError([Problem(where, _("is no JSON"), mend)]) from None
    jobs = told.get("jobs") if isinstance(told, dict) else None
    if not isinstance(jobs, list):
        raise BookError([Problem(where, _("has no list 'jobs', as that of sacct has"), mend)])
    for job in jobs:
        if isinstance(job, dict) and isinstance(job.get("job_id"), int):
            yield _number(job), _meta(job)


def nodes_in(text: str) -> tuple[str, ...]:
    """Spell out a list of nodes as Slurm writes it: ``node[01-03,7],login1``."""
    found: list[str] = []
    for before, ranges in _LIST.findall(text):
        if not ranges:
            found += [before] if before and before != "None assigned" else []
            continue
        for part in ranges.split(","):
            first, dash, last = part.partition("-")
            if not (first.isdecimal() and (last.isdecimal() or not dash)):
                continue
            numbers = range(int(first), int(last or first) + 1)[:MOST_NODES]
            found += [f"{before}{number:0{len(first)}d}" for number in numbers]
    return tuple(found[:MOST_NODES])


def _number(job: dict[str, Any]) -> str:
    array = job.get("array")
    inside = array if isinstance(array, dict) else {}
    task, of = _count(inside.get("task_id")), _count(inside.get("job_id"))
    return f"{of}_{task}" if of and task is not None else str(job["job_id"])


def _meta(job: dict[str, Any]) -> Meta:
    times = job.get("time")
    when = times if isinstance(times, dict) else {}
    return Meta(
        state=_state(job.get("state")),
        nodes=nodes_in(str(job.get("nodes") or "")),
        gpus=_gpus(job.get("tres")),
        start=_count(when.get("start")) or None,
        end=_count(when.get("end")) or None,
        restarts=_count(job.get("restart_cnt")) or 0,
    )


def _state(told: Any) -> str:
    current = told.get("current") if isinstance(told, dict) else told
    word = current[0] if isinstance(current, list) and current else current
    return word.partition(" ")[0] if isinstance(word, str) else ""


def _gpus(tres: Any) -> int | None:
    listed = tres.get("allocated") if isinstance(tres, dict) else None
    counts = [
        _count(one.get("count"))
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict) and one.get("type") == "gres" and one.get("name") == "gpu"
    ]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _count(value: Any) -> int | None:
    """A number, as releases of Slurm write it: bare, or with whether it is set."""
    if isinstance(value, dict):
        value = value.get("number") if value.get("set") else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value)
