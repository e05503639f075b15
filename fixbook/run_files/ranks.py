"""What the dumps of a run say of its ranks, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.run_files.finding import Finding
from fixbook.run_files.recorder import absent, gap_in
from fixbook.text import N_, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.run_files.recorder import Call, Dump, Gap
    from fixbook.text import Sentence

PAGES = _TIMEOUT, _MISMATCH = "collective-timeout", "collective-mismatch"
_MOST = 16  # ranks to name


def judge_dumps(dumps: list[Dump]) -> list[Finding]:
    """Return which rank is missing, or which asks for another collective.

    Args:
        dumps: Those of a run, one a rank.
    """
    gap = gap_in(dumps)
    if gap is not None:
        found = _missing(gap) if gap.missing else _differing(gap)
        sources = {dump.rank: str(dump.path) for dump in dumps}
        rank = (gap.missing or gap.odd or tuple(gap.asked))[0]
        owner = _TIMEOUT if gap.missing else _MISMATCH
        rule = "rank-missing" if gap.missing else "ranks-differ"
        named = rank if gap.missing or gap.odd else None
        return [Finding(rule, found, (owner,), sources[rank], None, gap.number, named)]
    silent = absent(dumps)
    if silent and len(dumps) > 1:
        says = say(
            N_("rank {ranks} left no dump, though it belongs to the group"), ranks=_list(silent)
        )
        return [Finding("rank-silent", says, (), str(dumps[0].path), None, None, silent[0])]
    return []


def _missing(gap: Gap) -> Sentence:
    waits = next(iter(gap.asked.values()))
    last = next(iter(gap.before.values()), None)
    values = {"ranks": _list(gap.missing), "number": gap.number, "name": waits.name}
    if not (waits.frame and last and last.frame):
        return say(
            N_("rank {ranks} never called collective {number}, {name}, which the others wait for"),
            **values,
        )
    return say(
        N_(
            "rank {ranks} never called collective {number}, {name}, which the others wait for at "
            "{frame}; it was last seen at {last}"
        ),
        **values,
        frame=waits.frame,
        last=last.frame,
    )


def _differing(gap: Gap) -> Sentence:
    wishes: dict[tuple[str, str], list[int]] = {}
    for rank, call in sorted(gap.asked.items()):
        wishes.setdefault((call.name, call.sizes), []).append(rank)
    said = "; ".join(_wish(ranks, gap.asked[ranks[0]]) for ranks in list(wishes.values())[:4])
    return say(
        N_("the ranks differ at collective {number}: {wishes}"), number=gap.number, wishes=said
    )


def _wish(ranks: list[int], call: Call) -> str:
    return f"rank {_list(ranks)}: {call.name} {call.sizes} {call.frame}".rstrip()


def _list(ranks: Iterable[int]) -> str:
    every = list(ranks)
    return ", ".join(map(str, every[:_MOST])) + (" …" if len(every) > _MOST else "")
