"""Which rank a launcher has given to a process, by what it has set in its environment.

The hook loads this file by its path, in the Python of the watched run: it imports nothing of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Of each kind of launcher: the variable of the rank, that of how many there are, and whether one
# alone is a rank. The nearest first: torch's own; MPI's, whose daemons are tasks of Slurm; Slurm's.
# Not SLURM_NTASKS: a batch script has that and SLURM_PROCID too, and is no task.
_TABLE = (
    ("RANK", "WORLD_SIZE", True),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", False),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", False),
    ("PMI_RANK", "PMI_SIZE", False),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", False),
)
_NAMES = frozenset(name for row in _TABLE for name in row[:2])
# A launcher that a scheduler has started as a task: its own number is that of its node.
_LAUNCHERS = {
    *("torchrun", "accelerate", "deepspeed", "ft_launcher", "torch.distributed.run"),
    *("torch.distributed.launch", "accelerate.commands.launch", "deepspeed.launcher.launch"),
}
_DIGITS = 7
_FIRST_WORDS = 4  # python -u -m name


class Given(NamedTuple):
    """The rank of a process.

    Attributes:
        rank: Its number.
        kind: Which kind of launcher gave it, the nearest first.
        size: How many there are; None where that is not said.
    """

    rank: int
    kind: int
    size: int | None


class Ranked(NamedTuple):
    """A process and the rank that its environment gives.

    Attributes:
        parent: That of its parent.
        words: How it was started.
        given: The rank; None without one.
    """

    parent: int
    words: str
    given: Given | None


def given(environ: Mapping[str, str]) -> Given | None:
    """Return the rank that an environment gives; None without one."""
    for kind, (name, size, alone) in enumerate(_TABLE):
        rank, count = _number(environ.get(name)), _number(environ.get(size))
        if rank is not None and (alone or (count or 0) > 1):
            return Given(rank, kind, count)
    return None


def given_in(block: bytes) -> Given | None:
    """Return the rank that a process was started with, by what the kernel shows of it."""
    pairs = (pair.partition("=") for pair in block.decode("utf-8", "replace").split("\0"))
    return given({name: value for name, _, value in pairs if name in _NAMES})


def launchers(seen: Mapping[int, Ranked]) -> set[int]:
    """Return those that only start ranks, though a scheduler or an operator has numbered them.

    A launcher that has ranks below it is none, nor is what has started it: their number is that of
    the node. The same holds where a nearer kind gives another number below. Where it gives the
    same one, a rank has told its own children its number.

    Args:
        seen: The processes of a run.
    """
    found: set[int] = set()
    for one in seen.values():
        if one.given is None:
            continue
        above = list(_above(one.parent, seen))
        at = next((at for at, pid in enumerate(above) if _starts_ranks(seen[pid].words)), None)
        found.update(above[at:] if at is not None else ())
        farther = {pid for pid in above if (seen[pid].given or one.given).kind > one.given.kind}
        if any((seen[pid].given or one.given).rank != one.given.rank for pid in farther):
            found |= farther
    return found


def _above(pid: int, seen: Mapping[int, Ranked]) -> Iterator[int]:
    """Yield those above a process that have been given a rank."""
    passed: set[int] = set()
    while pid in seen and pid not in passed:
        passed.add(pid)
        if seen[pid].given:
            yield pid
        pid = seen[pid].parent


def _starts_ranks(words: str) -> bool:
    first = words.split()[:_FIRST_WORDS]
    return any(word.rpartition("/")[2] in _LAUNCHERS for word in first)


def _number(text: str | None) -> int | None:
    known = text and text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if text and known else None
