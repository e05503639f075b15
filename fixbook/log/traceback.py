"""Read Python tracebacks out of the lines that one rank printed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.normalise import LogLine, clean_line, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.log.context import Context

HEAD = re.compile(r"(?P<inner>Original )?Traceback \(most recent call last\)")
LINK = re.compile(
    r"During handling of the above exception, another exception"
    r"|The above exception was the direct cause of the following"
)
IGNORED = re.compile(r"Exception ignored (?:in|while|on)\b")
FRAME = re.compile(
    r'\s*(?:File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7})'
    r"(?:, in (?P<function>[^\n]{1,120}))?"
    r"|(?:File )?(?P<path>(?:[A-Za-z]:)?[^\s:\"']{1,300}\.pyx?):(?P<at>\d{1,7}),?:?"
    r" in (?P<name>[\w<>.]{1,80})"
    r"|(?P<cell>Cell In ?\[\d{1,6}\]), line (?P<cell_line>\d{1,7}))",
    re.ASCII,
)
WORDS = re.compile(r"[A-Za-z]{2}|[\u4e00-\u9fff]", re.ASCII)
MARKS = re.compile(r"[\s^~]*$", re.ASCII)
MOST_CODE = 200


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback.

    Attributes:
        file: Path as it is printed.
        line: 1-based line of that file.
        function: Name of the function; empty if it is not printed.
        code: The source line; empty if it is not printed.
    """

    file: str
    line: int
    function: str = ""
    code: str = ""


@dataclass(slots=True)
class Traceback:
    """One traceback, from its heading to its exception.

    Attributes:
        frames: Outermost first.
        error: The line of the exception; None if it breaks off.
        before: The last line that was printed before it.
        linked: True if it follows another, as its consequence.
        inner: True if it is quoted below the exception that passes it on, as a worker's is.
        opened: The line of its heading, or the line right above where that is not printed.
        ignored: True if Python only reports it and goes on.
    """

    frames: list[Frame] = field(default_factory=list)
    error: LogLine | None = None
    before: LogLine | None = None
    linked: bool = False
    inner: bool = False
    opened: str = ""
    ignored: bool = False


def lines_of_rank(context: Context, line: LogLine) -> Iterator[LogLine]:
    """Yield the lines before one that are of its rank, cleaned.

    Args:
        context: What stands before the line.
        line: The line.
    """
    raw = context.before.decode("utf-8", errors="replace").split("\n")[:-1]
    for number, text in enumerate(raw, start=line.number - len(raw)):
        for part in parts_of(text):
            cleaned, rank = clean_line(part)
            if (context.rank if rank is None else rank) == line.rank and cleaned.strip():
                yield LogLine(number, cleaned, line.rank)


def tracebacks_of(lines: Iterable[LogLine], is_error: Callable[[str], object]) -> list[Traceback]:
    """Return the tracebacks of one rank, in the order of the log.

    Args:
        lines: Its lines.
        is_error: Tells the line of an exception.
    """
    found: list[Traceback] = []
    current: Traceback | None = None
    last: LogLine | None = None
    above = ""
    linked = ignored = False
    for line in lines:
        head = HEAD.search(line.text)
        frame = None if head else FRAME.match(line.text)
        error = not head and not frame and is_error(line.text)
        if head or (current is None and (frame or error)):
            current = Traceback(before=_until(line, head, last), linked=linked, ignored=ignored)
            current.inner = bool(head and head["inner"])
            current.opened = line.text if head else above
            found.append(current)
            linked = ignored = False
        if frame and current:
            current.frames.append(_frame(frame))
        elif error and current:
            current.error, current = line, None
        elif LINK.search(line.text):
            linked = True
        elif IGNORED.match(line.text):
            ignored = True
        elif current and current.frames:
            _add_code(current, line.text)
        elif not head and WORDS.search(line.text):
            last = line
        above = line.text
    return found


def _until(line: LogLine, head: re.Match[str] | None, last: LogLine | None) -> LogLine | None:
    """What was printed before: a progress bar may stand in the line of the heading."""
    text = line.text[: head.start()].strip() if head else ""
    return LogLine(line.number, text, line.rank) if len(text) > MOST_NAME else last


MOST_NAME = 40  # a logger's or a shell's words before the heading tell nothing of the run


def _frame(found: re.Match[str]) -> Frame:
    file = found["file"] or found["path"] or found["cell"]
    line = found["line"] or found["at"] or found["cell_line"]
    return Frame(file, int(line), (found["function"] or found["name"] or "").strip())


def _add_code(traceback: Traceback, text: str) -> None:
    """The first line after a frame is its source."""
    last = traceback.frames[-1]
    if not last.code and not MARKS.match(text):
        code = text.strip()[:MOST_CODE]
        traceback.frames[-1] = Frame(last.file, last.line, last.function, code)
