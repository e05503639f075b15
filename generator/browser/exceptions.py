"""What the browser's code shares with the command about exceptions that the book does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.log import (
    card,
    context,
    exception,
    going_on,
    libraries,
    likely,
    next_steps,
    quoted,
    redact,
    report,
    source_lines,
    traceback,
)
from fixbook.repository import MOST_ADDRESS, repository
from generator.browser.pattern import javascript_of_own

if TYPE_CHECKING:
    import re

    from fixbook.text import Lang

PATTERNS: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {
    "head": traceback.HEAD,
    "link": traceback.LINK,
    "ignored": traceback.IGNORED,
    "tracebackFrame": traceback.FRAME,
    "words": traceback.WORDS,
    "marks": traceback.MARKS,
    "packages": libraries.PACKAGES,
    "standard": libraries.STANDARD,
    "egg": libraries.EGG,
    "kind": exception.KIND,
    "wrappers": exception.WRAPPERS,
    "version": card.VERSION,
    "pythonPath": card.PYTHON_PATH,
    "likely": likely.LIKELY,
    "named": likely.NAMED,
    "aside": likely.ASIDE,
    "code": quoted.CODE,
    "raises": likely.RAISES,
    "raise": source_lines.RAISES,
    "bar": going_on.BAR,
    "step": going_on.STEP,
    "epoch": going_on.EPOCH,
    "made": going_on.MADE,
    "heading": exception.HEADING,
    "data": quoted.DATA,
    "again": quoted.AGAIN,
    "chatOpened": quoted.OPENED,
    "chatClosed": quoted.CLOSED,
    "warning": likely.WARNING,
    "values": next_steps.VALUES,
    "quotedName": next_steps.QUOTED,
    "plainWord": next_steps.WORD,
    "ends": next_steps.ENDS,
}
LIMITS = {
    "context": context.CONTEXT,
    "name": traceback.MOST_NAME,
    "code": traceback.MOST_CODE,
    "fewLines": likely.FEW_LINES,
    "reach": quoted.REACH,
    "rises": going_on.LEAST,
    "behind": going_on.BEHIND,
    "late": going_on.LATE,
    "sourceRoom": source_lines.ROOM,
    "sourceLines": source_lines.MOST_LINES,
    "chains": exception.MOST_CHAINS,
    "versions": card.MOST_VERSIONS,
    "said": next_steps.MOST_TEXT,
    "read": next_steps.MOST_READ,
    "phrase": next_steps.MOST_PHRASE,
    "phrases": next_steps.MOST_PHRASES,
    "enough": next_steps.ENOUGH,
    "questions": next_steps.MOST_QUESTIONS,
    "title": report.MOST_TITLE,
    "address": MOST_ADDRESS,
}


def data(lang: Lang) -> dict[str, Any]:
    """Return the tables of the modules ``libraries``, ``next_steps``, ``redact`` and ``report``.

    Args:
        lang: Language of the questions.
    """
    return {
        "libraries": {
            name: {"repo": one.repo, "docs": one.docs}
            for name, one in libraries.libraries().items()
        },
        "aliases": card.ALIASES,
        "questions": [
            {"when": javascript_of_own(next_steps.when(row)), "ask": row[lang]}
            for row in next_steps.question_rows()
        ],
        "redaction": {
            "rules": [
                {"pattern": javascript_of_own(redact.compiled(pattern, cased)), "by": by}
                for pattern, cased, by in redact.RULES
            ],
            "knownHosts": javascript_of_own(redact.KNOWN_HOSTS),
            "key": javascript_of_own(redact.KEY),
            "memory": redact.MEMORY,
            "weights": redact.WEIGHTS,
            "checks": redact.CHECKS,
            "local": javascript_of_own(redact.LOCAL),
            "packages": javascript_of_own(redact.PACKAGES),
            "system": javascript_of_own(redact.SYSTEM),
            "libraries": redact.LIBRARIES,
        },
        "issues": f"{repository()}/issues/new" if repository() else "",
        "reportFields": report.FIELDS,
        "issueSearch": next_steps.SEARCH,
        "blank": next_steps.BLANK,
    }
