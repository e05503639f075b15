"""What a log proposes for an entry of its own: the headline, a pattern for it, what to type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.diagnose import diagnose
from fixbook.log.next_steps import BLANK, VALUES, phrases
from fixbook.log.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.signatures import Index

# What may differ in somebody else's log: named things, paths, what was taken out, numbers.
_VARIES = re.compile(
    r"(?<![A-Za-z])(?P<quote>['\"`])(?P<name>[^'\"`\n]{1,120})(?P=quote)(?![A-Za-z])"  # no "you're"
    r"|(?P<place><\w[\w ]{1,12}>(?:[\\/][\w.@%+~-]+)*|\w{1,20}://\S+|(?:[\\/][\w.@%+~-]+){2,}[\\/]?)"
    r"|(?<![\w.])(?P<number>\d(?:[\d.,]*\d)?)",
    re.ASCII,
)
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_WORD = re.compile(r"[A-Za-z]{2,}", re.ASCII)
_TELLING = 5  # words without which a line is no more than its names
_BEFORE, _AFTER = 60, 20  # lines of the log that are kept around the headline
_PASTED, _SEARCHED = 12, 6  # lines, and words
MOST_LINE = 300
_SENTENCE_ENDS = re.compile(r"(?<=[.:;,!?])\\n")  # of a KeyError, which prints its text escaped


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a log proposes for an entry.

    Attributes:
        line: The headline, redacted.
        pattern: A pattern that finds it, whatever its values are; its groups are ``captures``.
        captures: Names of the groups, in their order: ``name``, ``number``, ``name2`` …
        log: The lines around it, redacted.
        pasted: The last of them up to the headline.
        varied: The headline of another rank, with other numbers.
        keywords: Its words, as one would search for them.
        projects: The libraries of its frames, the deepest first.
        known: What the book says of the log already: a slug or a message; empty if nothing.
    """

    line: str
    pattern: str
    captures: tuple[str, ...]
    log: str
    pasted: str
    varied: str
    keywords: str
    projects: tuple[str, ...]
    known: str


def proposal_of(text: str, index: Index, hide: Callable[[str], str]) -> Proposal | None:
    """Propose an entry for a log; None if no line of it reads like a failure.

    Args:
        text: The log.
        index: The signatures of the book.
        hide: Takes the names of this machine and of its user out of a text.
    """
    found = diagnose(text, index)
    at = _headline(found)
    if at is None:
        return None
    number, said = at
    line = hide(redact(_first_sentence(said)))
    lines = text.splitlines()
    kept = lines[max(0, number - _BEFORE) : number + _AFTER]
    pattern, captures = _pattern(line)
    blanked = VALUES.sub(lambda match: (match["lead"] or "") + BLANK, line)
    card = found.exception
    return Proposal(
        line=line,
        pattern=pattern,
        captures=captures,
        log=hide(redact("\n".join(kept))) + "\n",
        pasted=hide(redact("\n".join(lines[max(0, number - _PASTED) : number]))),
        varied="[rank3]: " + _VARIES.sub(_other, line),
        keywords=" ".join(_WORD.findall(" ".join(phrases(line, blanked)))[:_SEARCHED]),
        projects=card.libraries if card else (),
        known=found.best.owner if found.best else "",
    )


def _headline(found: Diagnosis) -> tuple[int, str] | None:
    """The line that decides, with its number: of the exception, of a match, or unrecognised."""
    if found.exception:
        return found.exception.line.number, found.exception.line.text
    lines = [*(match.line for match in found.matches), *(one.line for one in found.unknown)]
    return (lines[0].number, lines[0].text) if lines else None


def _first_sentence(said: str) -> str:
    """The headline, without lines that stand escaped in it, and no longer than a line may be."""
    first = _SENTENCE_ENDS.split(said.strip(), maxsplit=1)[0]
    return first if len(first) <= MOST_LINE else first[:MOST_LINE].rsplit(maxsplit=1)[0]


def _pattern(line: str) -> tuple[str, tuple[str, ...]]:
    """Return a pattern for a line, and the names of its groups."""
    alone = len(_WORD.findall(_VARIES.sub(" ", line).partition(":")[2])) < _TELLING
    parts: list[str] = []
    names: list[str] = []
    end = 0
    for found in _VARIES.finditer(line):
        parts.append(_literal(line[end : found.start()]))
        end = found.end()
        if found["place"]:
            parts.append(r"\S+")
        elif found["number"]:
            parts.append(f"(?P<{_named('number', names)}>[\\d.,]+)")
        elif alone:  # without the name the line would be that of many causes
            parts.append(_literal(found[0]))
        else:
            quote = found["quote"]
            parts.append(f"{quote}(?P<{_named('name', names)}>[^{quote}]+){quote}")
    return "".join([*parts, _literal(line[end:])]), tuple(names)


def _named(kind: str, names: list[str]) -> str:
    count = sum(name.startswith(kind) for name in names)
    names.append(f"{kind}{count + 1}" if count else kind)
    return names[-1]


def _literal(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _other(found: re.Match[str]) -> str:
    """Another number of the same kind; what is no whole number stays."""
    return str(int(found[0]) + 1) if found["number"] and found[0].isdigit() else found[0]
