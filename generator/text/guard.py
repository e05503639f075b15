"""Keep markup of entries and evidence from becoming markup of the page.

Whoever writes an entry writes Markdown, never HTML. The signs with which HTML, an entity or an
attribute list begins are replaced by stand-ins as soon as a text is read for the pages, whatever
template shows it later; each page gives them back as text when it is written, and blocks of code
before they are highlighted (`generator.text.safe_markdown`).
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from pydantic import BaseModel

from fixbook.book import PLACED
from generator.text import marks

Value = TypeVar("Value")
_SIGNS = {"<": "\ue0f0", "&": "\ue0f1", "{": "\ue0f2"}  # of the private use area: in no font
_HTML = {"<": "&lt;", "&": "&amp;", "{": "{"}
# Python-Markdown keeps STX and ETX for itself and drops those of a text: what stands around them
# could so become a fence or a link that nobody saw.
_GUARD = str.maketrans(_SIGNS | {"\x02": "", "\x03": ""})
_AS_TEXT = str.maketrans({stand_in: sign for sign, stand_in in _SIGNS.items()})
_AS_HTML = str.maketrans({stand_in: _HTML[sign] for sign, stand_in in _SIGNS.items()})
_RAW = {"context", "file", "log", "pattern", "patterns", "unless"}  # read, never shown as Markdown


def guarded(value: Value) -> Value:
    """Return a value with every text in it guarded: models, dataclasses, dictionaries, lists.

    Args:
        value: What pages are made of. What is guarded already stays as it is.
    """
    return _guarded(value)  # type: ignore[no-any-return]


def _guarded(value: Any) -> Any:
    if isinstance(value, str):
        return guard(value)
    if isinstance(value, BaseModel):
        # What was left out stays out: a rule is dumped as it was written.
        return value.model_copy(update=_fields(value, value.model_fields_set))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return dataclasses.replace(value, **_fields(value, names))
    if isinstance(value, dict):
        return {_guarded(key): _guarded(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_guarded(one) for one in value)
    return value


def _fields(value: Any, names: Any) -> dict[str, Any]:
    return {name: _guarded(getattr(value, name)) for name in names if name not in _RAW}


def guard(text: str) -> str:
    """Return a text that is no markup but Markdown; the places of snippets stay."""
    out, end = [], 0
    for place in PLACED.finditer(text):
        out += [text[end : place.start()].translate(_GUARD), place[0]]
        end = place.end()
    return "".join([*out, text[end:].translate(_GUARD)])


def as_html(page: str) -> str:
    """Give the signs back in HTML, as text, and write the marks of sentences."""
    return marks.signs(page.translate(_AS_HTML))


def as_text(text: str) -> str:
    """Give the signs back where no markup is read; marks are words there."""
    return marks.words(text.translate(_AS_TEXT))
