"""What the files of a run show, joined to what its logs were answered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fixbook.log.answer import found_of
from fixbook.log.diagnosis import Match
from fixbook.log.normalise import LogLine
from fixbook.log.signatures import compiled
from fixbook.run_files.ranks import PAGES
from fixbook.text import in_language

if TYPE_CHECKING:
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.run_files.finding import Finding
    from fixbook.run_files.run import Run
    from fixbook.text import Lang


_ENDED = ("SignalException", "KeyboardInterrupt")  # how somebody ended a run says nothing of it


def with_run(
    answer: dict[str, Any], diagnosis: Diagnosis, run: Run, rows: dict[str, Any], lang: Lang
) -> dict[str, Any]:
    """Return an answer that knows of the files of the run.

    The logs come first: a cause that they print, or an exception that nobody knows, stays the
    answer. Where they have none, or only a message of several causes, what was found decides;
    which rank a collective waited for is said by the recorders, not by the rank that timed out.

    Args:
        answer: What the logs were answered.
        diagnosis: What that was made from.
        run: What the files show.
        rows: The index.
        lang: Language of the texts.
    """
    joined = answer | {"run": _row(run, rows, lang)}
    if run.findings:  # what was measured leaves nothing to guess
        joined |= {"guesses": []}
    named = next((one for one in run.findings if set(one.owners) & rows["titles"].keys()), None)
    if named is None:
        return joined
    owner = _owner(named, answer, rows)
    if not owner:
        return joined
    specific = owner not in rows["causes"]
    earlier = [answer["answer"]] if answer["answer"] else []
    shown = replace(diagnosis, found=diagnosis.found | _patterns(named.row, rows))
    found = found_of(_match(named, owner, rows, lang), shown, rows, lang)
    return joined | {
        "kind": "entry" if specific else "symptom",
        "answer": found | {"line": named.line},
        "runner_ups": [
            *(one for one in earlier if one.get("symptom") != owner),
            *answer["runner_ups"],
        ],
        "guesses": [],
        "next": None,
    }


def _owner(named: Finding, answer: dict[str, Any], rows: dict[str, Any]) -> str:
    """Return the entry or message that a finding makes the answer; empty where the logs decide."""
    owners = [one for one in named.owners if one in rows["titles"]]
    if answer["kind"] == "symptom":
        page = answer["answer"]["symptom"]
        causes = rows["causes"][page]
        of_ranks = PAGES if page in PAGES else ()  # whoever reports a timeout has only waited
        return next((one for one in owners if one in causes or one in of_ranks), "")
    card = answer["exception"]
    decided = card and card["certain"] and not card["kind"].endswith(_ENDED)
    return "" if answer["kind"] == "entry" or decided else owners[0]


def _patterns(row: str, rows: dict[str, Any]) -> frozenset[str]:
    """The patterns of cases that the row would meet, had a log printed it."""
    if not row:
        return frozenset()
    return frozenset(one for one in rows["surroundings"] if compiled(one).search(row))


def _match(named: Finding, owner: str, rows: dict[str, Any], lang: Lang) -> Match:
    return Match(
        owner=owner,
        signature=named.rule,
        specific=owner not in rows["causes"],
        secondary=False,
        echo=False,
        line=LogLine(named.line or 0, in_language(named.says, lang), named.rank),
        source=named.source,
        causes=tuple(rows["causes"].get(owner, ())),
        ranks=() if named.rank is None else (named.rank,),
    )


def _row(run: Run, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    titles = rows["titles"]
    return {
        "read": run.read,
        "findings": [
            {
                "rule": one.rule,
                "text": in_language(one.says, lang),
                "source": one.source,
                "line": one.line,
                "step": one.step,
                "rank": one.rank,
                "entries": [_named(name, rows, lang) for name in one.owners if name in titles],
            }
            for one in run.findings
        ],
        "inside": [_named(name, rows, lang) for name in run.inside if name in titles],
    }


def _named(name: str, rows: dict[str, Any], lang: Lang) -> dict[str, str]:
    key = "symptom" if name in rows["causes"] else "slug"
    return {key: name, "title": rows["titles"][name]["title"][lang]}
