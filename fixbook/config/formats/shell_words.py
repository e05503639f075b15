"""Split a shell script into commands of words, with places; nothing is expanded or run here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_MOST_LEVELS = 20  # of arrays and here-documents in one another; each level is read again
_SEPARATORS = ";|&\n"
_PART = re.compile(r"\$\(|[()`]|\s+|[^\s$()`]+|\$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command.

    Attributes:
        text: The word with its quotes removed; ``$NAME`` stands as written.
        start: Offset of its first character.
        end: Offset behind its last.
        raw: True if every character stands for itself, so that a replacement may be written.
        quoted: True if it begins with a quote: a sign in it means nothing to the shell.
    """

    text: str
    start: int
    end: int
    raw: bool
    quoted: bool = False


@dataclass(slots=True)
class Script:
    """Commands in order; the texts of here-documents are among them.

    Attributes:
        commands: Their words.
        documents: Where the here-documents begin and end: a shell may join their lines later.
    """

    commands: list[list[Word]] = field(default_factory=list)
    documents: list[tuple[int, int]] = field(default_factory=list)


def split(text: str) -> Script:
    """Split a script; a word is kept whole over line continuations, quotes and ``$( )``.

    Raises:
        RecursionError: Arrays or here-documents are nested too deeply.
    """
    script = Script()
    _Splitter(text, script).run(0, len(text))
    return script


class _Splitter:
    def __init__(self, text: str, script: Script, levels: int = _MOST_LEVELS) -> None:
        if not levels:
            raise RecursionError
        self._text = text
        self._script = script
        self._levels = levels
        self._words: list[Word] = []

    def run(self, start: int, end: int) -> None:
        position = start
        bodies: list[str] = []
        while position < end:
            character = self._text[position]
            if self._text.startswith("\\\n", position):
                position += 2
            elif character in " \t\r()":
                position += 1
                if character == ")":
                    self._close()
            elif character == "#":
                position = self._line_end(position, end)
            elif character in _SEPARATORS:
                self._close()
                position += 1
                if character == "\n" and bodies:
                    position = self._heredocs(position, end, bodies)
            elif found := _HEREDOC.match(self._text, position):
                bodies.append(found[2])
                position = found.end()
            else:
                position = self._word(position, end)
        self._close()

    def _close(self) -> None:
        if self._words:
            self._script.commands.append(self._words)
            self._words = []

    def _line_end(self, position: int, end: int) -> int:
        found = self._text.find("\n", position, end)
        return end if found < 0 else found

    def _heredocs(self, position: int, end: int, bodies: list[str]) -> int:
        while bodies:
            mark = bodies.pop(0)
            close = re.compile(rf"(?m)^[ \t]*{re.escape(mark)}[ \t]*$").search(
                self._text, position, end
            )
            stop = close.start() if close else end
            self._script.documents.append((position, stop))
            _Splitter(self._text, self._script, self._levels - 1).run(position, stop)
            position = close.end() if close else end
        return position

    def _word(self, start: int, end: int) -> int:
        parts: list[str] = []
        position, raw = start, True
        while position < end:
            character = self._text[position]
            if character in "'\"":
                piece, position = self._quoted(position, end)
                parts.append(piece)
            elif self._text.startswith(("$(", "${", "`"), position):
                stop = self._substituted(position, end)
                parts.append(self._text[position:stop])
                position = stop
            elif self._text.startswith("=(", position) and re.fullmatch(r"\w+\+?", "".join(parts)):
                return self._array("".join(parts).rstrip("+"), position + 2, end)
            elif self._text.startswith("\\\n", position) or character in " \t\r\n;|&)":
                break
            elif character == "\\":
                if position + 1 == len(self._text) and not parts:
                    return position + 1  # with nothing behind it, it leaves no word
                parts.append(self._text[position + 1 : position + 2])
                position, raw = position + 2, False
            else:
                parts.append(character)
                position += 1
        text = "".join(parts)
        if not text.startswith("`#"):  # a comment amid a command: it leaves no word
            quoted = self._text[start] in "'\""
            self._words.append(Word(text, start, position, raw, quoted))
        return max(position, start + 1)

    def _quoted(self, start: int, end: int) -> tuple[str, int]:
        quote = self._text[start]
        position = start + 1
        while position < end and self._text[position] != quote:
            position += 2 if self._text[position] == "\\" and quote == '"' else 1
        piece = self._text[start + 1 : position]
        if quote == '"':
            piece = re.sub(
                r'\\(["\\$`\n])', lambda found: "" if found[1] == "\n" else found[1], piece
            )
        return piece, position + 1

    def _substituted(self, start: int, end: int) -> int:
        if self._text[start] != "`":
            return self._bracketed(start + 1, end)
        closing = self._text.find("`", start + 1, end)
        return closing + 1 if closing >= 0 else start + 1

    def _bracketed(self, start: int, end: int) -> int:
        opening = self._text[start]
        closing, depth, position = {"(": ")", "{": "}"}[opening], 0, start
        while position < end:
            depth += (self._text[position] == opening) - (self._text[position] == closing)
            position += 1
            if depth == 0:
                return position
        return end

    def _array(self, name: str, start: int, end: int) -> int:
        """Keep ``NAME=( … )`` as a command of its own that begins with ``NAME=(``."""
        self._close()
        depth, position = 1, start
        while position < end and depth:
            character = self._text[position]
            if character in "'\"":
                _, position = self._quoted(position, end)
                continue
            if self._text.startswith(("$(", "${"), position):
                position = self._bracketed(position + 1, end)
                continue
            if character == "#":
                position = self._line_end(position, end)
                continue
            depth += (character == "(") - (character == ")")
            position += 1
        inner = Script()
        _Splitter(self._text, inner, self._levels - 1).run(start, position - 1)
        words = [word for command in inner.commands for word in command]
        self._script.commands.append([Word(f"{name}=(", start, start, raw=False), *words])
        return position


def assigned(word: Word) -> Iterator[tuple[str, str, bool]]:
    """Yield name and value if a word is an assignment, and whether it adds to what is there."""
    found = re.fullmatch(r"([A-Za-z_]\w*)(\+?)=(.*)", word.text, re.DOTALL)
    if found:
        yield found[1], found[3], bool(found[2])


def parts(value: str) -> list[str]:
    """Split the value of a variable where the shell does: not within ``$( )`` and backquotes."""
    words: list[list[str]] = [[]]
    depth, is_quoted = 0, False
    for sign in _PART.findall(value):
        if sign == "`":
            is_quoted = not is_quoted
        elif sign == "$(" or (sign == "(" and depth):
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
        if sign.isspace() and not depth and not is_quoted:
            words.append([])
        else:
            words[-1].append(sign)
    return ["".join(word) for word in words if word]
