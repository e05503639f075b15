"""What a page quotes as output was printed: by a step, or in a log of the entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.record import Evidence

_QUOTE = re.compile(r"(?ms)^ *```text[^\n]*\n(?P<lines>.*?)^ *```\s*$")
_LEFT_OUT = re.compile(r"^(?:…|\.\.\.)|(?:…|\.\.\.)$")


def quoted_output(reading: Reading) -> Iterator[Problem]:
    """Check every ``text`` block against the entry's logs and the logs of its recorded steps.

    The lines of a block stand in one log, in this order; a line may begin or end with ``…``.
    """
    for item in reading.entries:
        logs = list(_logs(item, reading.evidence(item)))
        for key, text in texts_of(item.entry):
            for side in dict.fromkeys((text.zh, text.en)):
                for quote in _QUOTE.finditer(side):
                    lines = [line.strip() for line in quote["lines"].splitlines() if line.strip()]
                    if lines and not any(stands_in(lines, log) for log in logs):
                        what = _("{name}: no log prints {line!r}")
                        name = ".".join(map(str, key))
                        what = what.format(name=name, line=_first(lines, logs))
                        mend = _(
                            "quote the lines of one log, each as it is ('…' for what is left out), "
                            "or add the log they come from"
                        )
                        yield Problem(item.source.where(key), what, mend)


def stands_in(lines: list[str], log: list[str]) -> bool:
    """Tell whether lines stand in a log in this order.

    Args:
        lines: Quoted lines; ``…`` at either end of one stands for what was left out of it.
        log: The lines of the log.
    """
    rest = iter(log)
    return all(any(_matches(line, printed) for printed in rest) for line in lines)


def _matches(quoted: str, printed: str) -> bool:
    return _LEFT_OUT.sub("", quoted).strip() in printed


def _first(lines: list[str], logs: list[list[str]]) -> str:
    """The first line that no log holds; if each is in some log, the first of the block."""
    missing = (
        line for line in lines if not any(_matches(line, one) for log in logs for one in log)
    )
    return next(missing, lines[0])


def _logs(item: BookEntry, records: Mapping[str, Evidence]) -> Iterator[list[str]]:
    for log in item.entry.logs:
        path = item.folder / log.file if log.file else None
        if path and path.is_file():
            yield path.read_text("utf-8", errors="replace").splitlines()
    for evidence in records.values():
        for step in evidence.steps.values():
            if step.verdict == "passed":
                yield step.log.splitlines()
