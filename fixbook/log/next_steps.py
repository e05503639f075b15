"""What to do about an error that the book does not have: where to search, what to ask."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from fixbook.log.libraries import libraries
from fixbook.log.redact import redact

if TYPE_CHECKING:
    from fixbook.log.card import Card
    from fixbook.text import Lang

FILE = Path(__file__).with_name("questions.json")
SEARCH = "https://github.com/search?type=issues&q="
BLANK = "…"
# What differs from one run to the next, and would hide that somebody else met the same error.
VALUES = re.compile(
    r"<(?:token|key|private key|email|user|host|ip|mac|id|phone|path)>(?:@<host>|[\\/][\w.@%+~-]+)*"
    r"|\[Errno -?\d{1,4}\]|\w{1,20}://[^\s'\"]+"
    r"|0x[0-9a-fA-F]+"
    r"|(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]+){2,}[\\/]?"
    r"|\b[0-9a-f]{12,}\b"
    r"|(?P<lead>^|[\s(\[{=:,])(?:'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`)"
    r"(?=[\s.,;:)\]}!?]|$)"
    r"|\b\d(?:[\dx.,]*\d)?(?:\s?(?:[KMGT]i?B|bytes)\b)?",
    re.ASCII,
)
QUOTED = re.compile(r"['\"`]([A-Za-z_][\w.-]{2,60})['\"`]", re.ASCII)
QUOTES = re.compile("['\"`]")
WORD = re.compile(r"[A-Za-z]{2,}", re.ASCII)
ENDS = re.compile(r"^[\s()\[\]{}<>,.;:'\"`=*|/\\-]+|[\s()\[\]{}<>,.;:'\"`=*|/\\-]+$", re.ASCII)
MOST_TEXT = 300  # of the line, once nothing in it says whose it is
MOST_READ = 2000  # of the line, so that what is taken out is seen whole
MOST_PHRASE, MOST_PHRASES, ENOUGH = 90, 2, 24
MOST_QUESTIONS = 4


@dataclass(frozen=True, slots=True)
class NextSteps:
    """What to do next.

    Attributes:
        blanked: The error without the values of this run.
        search: Address that searches the library's issues for it; following it sends the error.
        repo: The repository that is searched; empty for all of GitHub.
        docs: The library's own page on failures; empty if none is known.
        questions: What narrows it down.
    """

    blanked: str
    search: str
    repo: str
    docs: str
    questions: tuple[str, ...]


def next_steps(card: Card, lang: Lang) -> NextSteps:
    """Return what to do about an error; nothing that is pasted leaves with it but its words.

    Args:
        card: The error.
        lang: Language of the questions.
    """
    text = redact(card.line.text.strip()[:MOST_READ])[:MOST_TEXT]
    blanked = VALUES.sub(lambda match: (match["lead"] or "") + BLANK, text)
    library = libraries().get(card.library)
    repo = library.repo if library else ""
    terms = [f"repo:{repo}"] if repo else []
    terms += [f'"{phrase}"' for phrase in phrases(text, blanked)]
    return NextSteps(
        blanked=blanked,
        search=SEARCH + quote(" ".join(terms), safe="!'()*"),
        repo=repo,
        docs=library.docs if library else "",
        questions=_questions(card, lang),
    )


def phrases(text: str, blanked: str) -> list[str]:
    """Return what to search for word by word: the longest parts that hold no value of this run."""
    parts = [
        ENDS.sub("", part.replace('"', " ").replace("\\", " ")) for part in blanked.split(BLANK)
    ]
    parts = [_cut(part) for part in parts]
    telling = [part for part in parts if len(WORD.findall(part)) > 1]
    longest = sorted(telling, key=lambda part: -len(part))[:MOST_PHRASES]
    found = [part for part in telling if part in longest][:MOST_PHRASES]
    if not found:  # a key, which is all that there is
        return [_cut(ENDS.sub("", QUOTES.sub("", text)))]
    if sum(map(len, found)) < ENOUGH:  # an attribute or a key is all that tells such errors apart
        found += [name for name in QUOTED.findall(text) if name not in found][:MOST_PHRASES]
    return found


def _cut(part: str) -> str:
    return part if len(part) <= MOST_PHRASE else part[:MOST_PHRASE].rpartition(" ")[0]


@functools.cache
def question_rows() -> list[dict[str, str]]:
    """Return the questions: ``when`` they are asked as a pattern, and their text by language."""
    rows: list[dict[str, str]] = [
        {"when": row["when"], **row["ask"]} for row in json.loads(FILE.read_bytes())
    ]
    return rows


def when(row: dict[str, str]) -> re.Pattern[str]:
    """Return the pattern of the errors that a question is about."""
    return re.compile(row["when"], re.ASCII | re.IGNORECASE)


def _questions(card: Card, lang: Lang) -> tuple[str, ...]:
    cause = card.cause.text if card.cause else ""
    rank = "" if card.line.rank is None else "rank"
    about = " ".join([card.line.text[:MOST_TEXT], cause[:MOST_TEXT], card.library, rank])
    fitting = [row[lang] for row in question_rows() if when(row).search(about)]
    first = fitting[:-1][: MOST_QUESTIONS - 1]
    return (*first, fitting[-1])
