"""Memory that grows to its limit: an exact rule on samples, none on the shape of their curve.

Of the last half of a run, the least of each of eight parts: a cache fills and stays, a leak lifts
the floor of every part. It is said only where the limit is reached before the run would be twice
as long as it is, or where it has been reached.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from fixbook.run_files.finding import Finding
from fixbook.text import N_, say

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS, RISING = 8, 6
LEAST_SAMPLES = 4 * PARTS
_LEAST_SHARE = 0.05
_LEAST_MIB = 1.0  # what a part must rise, for that it counts


def judge_memory(
    samples: Sequence[tuple[float, float]], limit_mib: float | None, source: str = ""
) -> list[Finding]:
    """Return what the memory of a run shows.

    Args:
        samples: Seconds since the start, and MiB of all its processes, in order.
        limit_mib: What it may use; None if nobody knows.
        source: Where they stand.
    """
    half = [one for one in samples if one[0] * 2 >= samples[-1][0]] if samples else []
    if len(half) < LEAST_SAMPLES // 2 or len(samples) < LEAST_SAMPLES or not limit_mib:
        return []
    parts = [half[at * len(half) // PARTS : (at + 1) * len(half) // PARTS] for at in range(PARTS)]
    floors = [min(mib for _, mib in part) for part in parts]
    rising = sum(after - before > _LEAST_MIB for before, after in pairwise(floors))
    growth = floors[-1] - floors[0]
    seconds = half[-1][0] - half[0][0]
    if rising < RISING or growth <= _LEAST_SHARE * floors[0] or seconds <= 0:
        return []
    pace = growth / (seconds * (PARTS - 1) / PARTS)
    left = max(0.0, (limit_mib - half[-1][1]) / pace)
    if left > samples[-1][0]:
        return []
    says = say(
        N_(
            "memory rose from {first:.0f} to {last:.0f} MiB in the last {seconds:.0f} s, in "
            "{rising} of 7 parts; at this pace the {limit:.0f} MiB there are last {left:.0f} s"
        ),
        first=floors[0],
        last=floors[-1],
        seconds=seconds,
        rising=rising,
        limit=limit_mib,
        left=left,
    )
    return [Finding("memory-grows", says, (), source)]
