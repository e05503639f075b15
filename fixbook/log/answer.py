"""The answer of a diagnosis as plain data: what ``fixbook diagnose --json`` prints.

The browser makes the same (overrides/assets/diagnose/answer.js), and people read it as text.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fixbook.log.advice import advice_of
from fixbook.log.cases import shown_by
from fixbook.log.next_steps import next_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.card import Card
    from fixbook.log.diagnosis import Diagnosis, Match
    from fixbook.log.traceback import Frame
    from fixbook.text import Lang

# Of a line, and of ranks: more says nothing more.
MOST_TEXT = 600
MOST_RANKS = 16
MOST_UNRECOGNISED = 5


def answer_of(
    diagnosis: Diagnosis,
    rows: dict[str, Any],
    guesses: Sequence[tuple[str, float]],
    lang: Lang,
    top: int = 3,
) -> dict[str, Any]:
    """Put a diagnosis into words and plain data.

    Args:
        diagnosis: What was recognised.
        rows: The index, for titles, questions and labels.
        guesses: Ranked search results, used where nothing was recognised.
        lang: Language of the texts.
        top: How many runner-ups to name.

    Returns:
        ``kind``: ``entry``, ``symptom`` or ``unknown``; ``answer``: what explains the log, or
        None; ``exception``: the exception that it is about, or None, with the frames that raised
        it; ``goes_on``: the last ``line`` that counts a step below what it is about, and whether
        that is ``sure``, or None; ``next``: what to do where nothing explains it; ``runner_ups``,
        ``unrecognised`` (exceptions), ``guesses`` (by words), ``lines`` (read) and ``entries``
        (of the book).
    """
    best = diagnosis.best
    kind = "unknown" if best is None else "entry" if best.specific else "symptom"
    others = [
        match
        for match in diagnosis.matches[bool(best) :]
        if match.specific or best is None or not best.specific
    ]
    card = diagnosis.exception
    if card and guesses:  # of words, and words are no exception; of a log nothing is guessed
        card, guesses = (card, []) if card.certain else (None, guesses)
    return {
        "kind": kind,
        "answer": found_of(best, diagnosis, rows, lang) if best else None,
        "exception": _exception(card) if card else None,
        "goes_on": asdict(diagnosis.goes_on) if diagnosis.goes_on else None,
        "next": _next(card, lang) if card and best is None else None,
        "runner_ups": [_found(match, rows, lang) for match in others[:top]],
        "unrecognised": [
            {"line": item.line.number, "source": item.source, "rank": item.line.rank}
            | {"text": item.line.text[:MOST_TEXT]}
            for item in diagnosis.unknown
        ],
        "guesses": [_guess(name, score, rows, lang) for name, score in guesses],
        "lines": diagnosis.lines,
        "entries": len(rows["titles"]) - len(rows["causes"]),
    }


def found_of(
    match: Match, diagnosis: Diagnosis, rows: dict[str, Any], lang: Lang
) -> dict[str, Any]:
    """Return what explains a run, as plain data with its advice.

    Args:
        match: It.
        diagnosis: What the logs show beside.
        rows: The index.
        lang: Language of the texts.
    """
    return _found(match, rows, lang) | _advice(match, diagnosis, rows, lang)


def _exception(card: Card) -> dict[str, Any]:
    cause = card.cause
    return {
        "kind": card.kind,
        "certain": card.certain,
        "text": card.line.text.strip()[:MOST_TEXT],
        "source": card.source,
        "line": card.line.number,
        "rank": card.line.rank,
        "cause": {"line": cause.number, "text": cause.text.strip()[:MOST_TEXT]} if cause else None,
        "user": _frame(card.user),
        "library": card.library,
        "frame": _frame(card.frame),
        "before": card.before.text.strip()[:MOST_TEXT] if card.before else "",
        "versions": card.versions,
    }


def _frame(frame: Frame | None) -> dict[str, Any] | None:
    return asdict(frame) if frame else None


def _next(card: Card, lang: Lang) -> dict[str, Any]:
    steps = next_steps(card, lang)
    return {**asdict(steps), "questions": list(steps.questions)}


def _guess(name: str, score: float, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    key = "symptom" if name in rows["causes"] else "slug"
    return {key: name, "title": rows["titles"][name]["title"][lang], "score": round(score, 2)}


def _found(match: Match, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    card = rows["titles"][match.owner]
    return {
        "slug" if match.specific else "symptom": match.owner,
        "title": card["title"][lang],
        "summary": card["summary"][lang],
        "certainty": "specific" if match.specific else "possible cause",
        "secondary": match.secondary,
        "signature": match.signature,
        "source": match.source,
        "line": match.line.number,
        "rank": match.line.rank,
        "ranks": list(match.ranks),
        "text": match.line.text.strip()[:MOST_TEXT],
        "captures": _labelled(match, rows, lang),
        "advice": None if match.specific else rows["advice"][match.owner][lang],
        "causes": [
            {
                "slug": slug,
                "title": rows["titles"][slug]["title"][lang],
                "ask": rows["asks"][f"{match.owner}/{slug}"][lang],
            }
            for slug in match.causes
        ],
    }


def _advice(match: Match, diagnosis: Diagnosis, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    if not match.specific:
        return {}
    return advice_of(rows["fixes"][match.owner], shown_by(match, diagnosis), lang)


def _labelled(match: Match, rows: dict[str, Any], lang: Lang) -> list[dict[str, str]]:
    """Values of the named groups with what they mean; groups without a label are left out."""
    labels = rows["labels"]
    keyed = [(f"{match.owner}/{one.signature}/{one.name}", one) for one in match.captures]
    return [
        {
            "signature": one.signature,
            "name": one.name,
            "label": labels[key][lang],
            "value": one.value,
        }
        for key, one in keyed
        if key in labels
    ]
