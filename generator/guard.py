"""Keep markup of entries and evidence from becoming markup of the page.

Whoever writes an entry writes Markdown, never HTML. The signs with which HTML, an entity or an
attribute list begins are replaced by stand-ins as soon as a text is read for the pages, whatever
template shows it later; each page gives them back as text when it is written.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, TypeVar

from pydantic import BaseModel

from fixbook.placing import PLACED

Value = TypeVar("Value")
_SIGNS = {"<": "\ue0f0", "&": "\ue0f1", "{": "\ue0f2"}  # of the private use area: in no font
_HTML = {"<": "&lt;", "&": "&amp;", "{": "{"}
# Python-Markdown keeps STX and ETX for itself and drops those of a text, which could so end a
# block that nothing ended when it was looked at.
_GONE = {ord(sign): None for sign in ("\x02", "\x03", *_SIGNS.values())}
_GUARD = str.maketrans(_SIGNS) | _GONE
_AS_TEXT = str.maketrans({stand_in: sign for sign, stand_in in _SIGNS.items()})
_AS_HTML = str.maketrans({stand_in: _HTML[sign] for sign, stand_in in _SIGNS.items()})
# Shown as code, compared, or looked up: never read as Markdown.
_RAW = {"code", "log", "pattern", "patterns", "context", "unless", "function", "file"}
# Texts of several paragraphs, in which code may stand in blocks. All others are one line.
_BLOCKS = {"cause", "found", "not_this_if", "said", "symptom", "text", "trade_off"}
_OPENING = re.compile(r"(?P<indent> *)(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_LANGUAGE = re.compile(r"[\w#.+-]*")


def guarded(value: Value, name: str = "") -> Value:
    """Return a value with every text in it guarded: models, dataclasses, dictionaries, lists.

    Args:
        value: What pages are made of.
        name: The field it is, which says how it is shown.
    """
    return _guarded(value, name)  # type: ignore[no-any-return]


def _guarded(value: Any, name: str) -> Any:
    if name in _RAW:
        return value
    if isinstance(value, str):
        return block(value) if name in _BLOCKS else line(value)
    if isinstance(value, BaseModel):
        inner = {field: getattr(value, field) for field in type(value).model_fields}
        # The two languages of a text are what the text is.
        names = {field: name if field in {"zh", "en"} else field for field in inner}
        return value.model_copy(update={f: _guarded(inner[f], names[f]) for f in inner})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{f: _guarded(one, f) for f, one in fields.items()})
    if isinstance(value, dict):
        return {_guarded(key, ""): _guarded(one, name) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_guarded(one, name) for one in value)
    return value


def line(text: str) -> str:
    """Guard a text of one line, in which nothing is kept as it is."""
    return text.translate(_GUARD)


def clean(text: str) -> str:
    """Drop the signs that mean something to us or to Python-Markdown from a text kept as it is."""
    return text.translate(_GONE)


def block(text: str) -> str:
    """Guard a text of several paragraphs.

    Fenced code stays as it is. Its fences are written so that Python-Markdown sees the same block:
    nothing beside the language, closed, and longer than any run of their sign within.
    """
    out: list[str] = []
    lines = clean(text).expandtabs(4).splitlines()
    at = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        at += 1
        if opening is None:
            raw = lines[at - 1]
            out.append(raw if PLACED.fullmatch(raw) else line(raw))
            continue
        inner, at = _inner(lines, at, opening["ticks"])
        out += _fenced(inner, opening["indent"], opening["ticks"], opening["info"])
    return "\n".join(out) + ("\n" if text.endswith("\n") else "")


def _inner(lines: list[str], start: int, ticks: str) -> tuple[list[str], int]:
    """Return the lines of a block of code and where the text goes on."""
    for at in range(start, len(lines)):
        seen = lines[at].strip()
        if seen.startswith(ticks) and not seen.strip(ticks[0]):
            return lines[start:at], at + 1
    return lines[start:], len(lines)


def _fenced(inner: list[str], indent: str, ticks: str, info: str) -> list[str]:
    sign = re.escape(ticks[0])
    runs = re.findall(f"{sign}{{3,}}", "\n".join(inner))
    fence = indent + ticks[0] * max([len(ticks), *(len(run) + 1 for run in runs)])
    language = _LANGUAGE.match(info)
    deep = [one if one.startswith(indent) or not one.strip() else indent + one.lstrip() for one in inner]
    return [fence + (language[0] if language else ""), *deep, fence]


def as_html(page: str) -> str:
    """Give the signs back in HTML or XML, as text."""
    return page.translate(_AS_HTML)


def as_text(text: str) -> str:
    """Give the signs back where no markup is read."""
    return text.translate(_AS_TEXT)
