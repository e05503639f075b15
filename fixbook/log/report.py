"""A report of a log to those who keep the book: redacted, to be read before it is sent.

Its parts are the fields of the issue forms (``.github/ISSUE_TEMPLATE/``), and it reads like an
issue that one of them has made: `sections` takes both apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fixbook.log.redact import redact
from fixbook.log.words import words_of
from fixbook.text import LANGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.scanned import Scan
    from fixbook.text import Lang

FIELDS = ("answer", "expected", "versions", "hardware", "log")
MOST = 24_000
MOST_TITLE = 120
_BEFORE, _ENDING = 40, 60  # lines before the exception, and of the end of the log
TICKS = re.compile(r"`+")
_HEADING = re.compile(r"^### +(.+?) *$", re.MULTILINE)
_FENCED = re.compile(r"^(`{3,})\w*\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a log.

    Attributes:
        form: The form that it fills in.
        title: Title of the issue.
        fields: What stands in each of `FIELDS`.
    """

    form: Literal["not-recognised", "wrong-match"]
    title: str
    fields: dict[str, str]

    def markdown(self, lang: Lang) -> str:
        """Return it as an issue reads that the form has made."""
        words = words_of(lang)
        parts = [f"### {words[f'report_{name}']}\n\n{self.fields[name]}" for name in FIELDS]
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of the machine on which a report is made.

    Attributes:
        versions: The packages that matter, as one text.
        hardware: Processors, GPUs and memory, as lines.
        hide: Takes the names of this machine and of its user out of a text.
    """

    versions: str
    hardware: str
    hide: Callable[[str], str]


def report_of(
    answer: dict[str, Any],
    diagnosis: Diagnosis,
    scans: Sequence[Scan],
    here: Surroundings,
    lang: Lang,
) -> Report:
    """Return a report.

    Args:
        answer: What was answered.
        diagnosis: What it was made from.
        scans: The logs.
        here: The machine on which it is made, which need not be the one that failed.
        lang: The language of what is not the log's.
    """
    words = words_of(lang)
    found = answer["answer"]
    said = words["report_none"]
    if found:
        name = found.get("slug") or found["symptom"]
        said = words["report_answered"].format(
            name=name,
            certainty=found["certainty"],
            signature=found["signature"],
            line=found["line"],
        )
    read = words["report_read"].format(lines=answer["lines"])
    printed = (answer["exception"] or {}).get("versions", {})
    versions = ", ".join(f"{name} {version}" for name, version in printed.items())
    installed = words["report_here"].format(said=here.versions) if here.versions else ""
    fields = {
        "answer": words["semicolon"].join([said, read]),
        "expected": "",
        "versions": "\n".join(filter(None, [versions, installed])),
        "hardware": words["report_here"].format(said=here.hardware) if here.hardware else "",
        "log": here.hide("\n".join(_logs(diagnosis, scans, words)))[:MOST],
    }
    form: Literal["not-recognised", "wrong-match"] = "wrong-match" if found else "not-recognised"
    return Report(form, here.hide(_title(answer, words)), fields)


def sections(text: str) -> dict[str, str]:
    """Take a report apart, as it was printed or as an issue shows it.

    Args:
        text: The report, in either language.

    Returns:
        The parts of it that are there, by the names of `FIELDS`.
    """
    pieces = _HEADING.split(text.replace("\r\n", "\n"))
    found: dict[str, str] = {}
    for heading, body in zip(pieces[1::2], pieces[2::2], strict=True):
        for name in FIELDS:
            if any(words_of(lang)[f"report_{name}"] in heading for lang in LANGS):
                found.setdefault(name, body.strip())
    return found


def log_in(text: str) -> str:
    """Return the log that a part of a report quotes: its blocks, with a line of dots between them.

    Args:
        text: The part named ``log``; without a block all of it is the log.
    """
    blocks = [found[2] for found in _FENCED.finditer(text)]
    return "\n…\n".join(blocks) if blocks else text


def _title(answer: dict[str, Any], words: dict[str, str]) -> str:
    about = answer["answer"] or answer["exception"]
    if about is None:
        return words["report_title"]
    blanked = answer["next"]["blanked"] if answer["next"] else about["text"]
    return redact(blanked).strip()[:MOST_TITLE]


def _logs(diagnosis: Diagnosis, scans: Sequence[Scan], words: dict[str, str]) -> Iterator[str]:
    card = diagnosis.exception
    for hit in (hit for scan in scans for hit in (*scan.hits, *scan.errors)):
        same = card and (hit.source, hit.line) == (card.source, card.line)
        if same and hit.context.before and hit.line.number < scans[-1].lines - _ENDING:
            before = hit.context.before.decode("utf-8", errors="replace").split("\n")
            lines = [*before[:-1][-_BEFORE:], hit.line.text]
            yield words["line"].format(line=hit.line.number) + "\n" + _fenced(lines)
            break
    if scans:
        tail = scans[-1].tail.decode("utf-8", errors="replace").rstrip("\n").split("\n")
        yield words["report_end"] + "\n" + _fenced(tail[-_ENDING:])


def _fenced(lines: Sequence[str]) -> str:
    log = redact("\n".join(lines))
    longest = max((len(run) for run in TICKS.findall(log)), default=2)
    ticks = "`" * (max(2, longest) + 1)
    return f"{ticks}text\n{log}\n{ticks}\n"
