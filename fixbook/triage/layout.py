"""Which job a log belongs to, by how launchers and clusters lay their logs out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fixbook.log.reading import rank_in
from fixbook.problem import BookError, Problem
from fixbook.text import _

_SPECIALS = re.ASCII | re.IGNORECASE
# torchrun --log-dir: <run>/attempt_0/<rank>/stdout.log
_TORCHRUN = re.compile(
    r"(?P<job>.*?)/?attempt_(?P<attempt>\d{1,6})/(?P<rank>\d{1,6})/std(?:out|err)\.log(?:\.gz|\.zst)?$",
    re.ASCII,
)
# /var/log/pods/<namespace>_<pod>_<uid>/<container>/<restart>.log
_POD = re.compile(
    r"(?P<above>.*?)(?P<space>[a-z0-9-]{1,63})_(?P<pod>[a-z0-9.-]{1,253})_[0-9a-f-]{8,64}/[^/]+/"
    r"(?P<attempt>\d{1,6})\.log(?:[.-][\w.-]*)?$",
    re.ASCII,
)
# /var/log/containers/<pod>_<namespace>_<container>-<64 hexadecimal digits>.log
_CONTAINER = re.compile(
    r"(?P<above>.*?)(?P<pod>[a-z0-9.-]{1,253})_(?P<space>[a-z0-9-]{1,63})_[a-z0-9.-]{1,253}"
    r"-[0-9a-f]{64}\.log$",
    re.ASCII,
)
# What follows the job in the name of a pod: its role and number, its index, letters by lot.
_REPLICA = re.compile(
    r"(?P<job>.+?)-(?:(?:master|worker|launcher|leader|node|replica)-)?(?P<rank>\d{1,5})"
    r"(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?$",
    re.ASCII,
)
# %x-%j.out, slurm-%j.out, slurm-%A_%a.out, and with %N or %t after it.
_SLURM = re.compile(
    r"(?P<above>(?:.*/)?)(?P<name>[^/]*?)(?P<dash>^|[-_.]|(?<=/))(?P<id>\d{3,12})(?:_(?P<task>\d{1,7}))?"
    r"(?:-(?P<rank>\d{1,6})|[-_.](?P<node>[a-z][a-z0-9-]{0,60}\d))?\.(?:out|err|log)(?:\.gz|\.zst)?$",
    _SPECIALS,
)
# A file of a rank, or of a folder of one; what stands before it is the job.
_RANK = re.compile(
    r"(?P<job>.*?)(?:^|[/._-])(?:global_)?rank[-_=]?\d{1,6}(?:[/._-].*)?$", _SPECIALS
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a log belongs.

    Attributes:
        job: Name of the job; logs with the same one are taken together.
        attempt: Which start of the job it is of, from 0.
        rank: The rank that wrote it, or None.
        node: The node that it was written on; empty if the name does not tell.
        number: What its scheduler calls the job, ``1234`` or ``1234_5``; empty if unknown.
    """

    job: str
    attempt: int = 0
    rank: int | None = None
    node: str = ""
    number: str = ""


def place_of(name: str, pattern: re.Pattern[str] | None = None) -> Place:
    """Tell which job a log belongs to.

    Args:
        name: Its path below the root, with slashes.
        pattern: What the user says of the names; where it does not match, a log is its own job.
    """
    if pattern:
        found = pattern.search(name)
        return _by_pattern(found) if found else Place(name)
    for form, place in _FORMS:
        found = form.fullmatch(name)
        if found:
            return place(found)
    return Place(name, rank=rank_in(name))


def pattern_of(text: str) -> re.Pattern[str]:
    """Compile what ``--job-pattern`` gives.

    Raises:
        BookError: It is no pattern, or names no job.
    """
    where, mend = "--job-pattern", _("such as '(?P<job>[^/]+)/rank(?P<rank>\\d+)'")
    try:
        pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        what = _("is no regular expression: {reason}").format(reason=error)
        raise BookError([Problem(where, what, mend)]) from None
    if "job" not in pattern.groupindex:
        raise BookError([Problem(where, _("names no group 'job'"), mend)])
    return pattern


def _by_pattern(found: re.Match[str]) -> Place:
    said = {name: value or "" for name, value in found.groupdict().items()}
    rank, attempt = (said.get(name, "") for name in ("rank", "attempt"))
    return Place(
        job=said["job"],
        attempt=int(attempt) if attempt.isdecimal() else 0,
        rank=int(rank) if rank.isdecimal() else None,
        node=said.get("node", ""),
        number=said.get("number", ""),
    )


def _torchrun(found: re.Match[str]) -> Place:
    return Place(found["job"] or ".", int(found["attempt"]), int(found["rank"]))


def _pod(found: re.Match[str]) -> Place:
    replica = _REPLICA.fullmatch(found["pod"])
    job = replica["job"] if replica else found["pod"]
    return Place(
        job=f"{found['above']}{found['space']}/{job}",
        attempt=int(found.groupdict().get("attempt") or 0),
        rank=int(replica["rank"]) if replica else None,
    )


def _slurm(found: re.Match[str]) -> Place:
    # An array's tasks are jobs of their own, and its default name is slurm-%A_%a.out.
    number = f"{found['id']}_{found['task']}" if found["task"] else found["id"]
    return Place(
        job=f"{found['above']}{found['name']}{found['dash']}{number}",
        rank=int(found["rank"]) if found["rank"] else None,
        node=found["node"] or "",
        number=number,
    )


def _rank(found: re.Match[str]) -> Place:
    return Place(found["job"] or ".", rank=rank_in(found[0]))


_FORMS = (
    (_TORCHRUN, _torchrun),
    (_POD, _pod),
    (_CONTAINER, _pod),
    (_RANK, _rank),
    (_SLURM, _slurm),
)
