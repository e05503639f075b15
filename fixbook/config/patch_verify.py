"""Read an edited file again: exactly what was meant to change may have changed."""

from __future__ import annotations

import functools
import io
import tokenize
from typing import TYPE_CHECKING, Any

from fixbook.config.edit import CannotMendError
from fixbook.config.errors import ConfigError
from fixbook.config.read import parse
from fixbook.config.yaml_nodes import comments as yaml_comments

if TYPE_CHECKING:
    from fixbook.config.setting import ConfigDocument, Section

_MISSING = object()


def verify(
    document: ConfigDocument, section: Section, operation: dict[str, Any], text: str
) -> ConfigDocument:
    """Compare an edited text with the document that it was made from.

    Args:
        document: The file before the edit.
        section: The section of it that was edited.
        operation: What was meant to change.
        text: The file's text after the edit.

    Returns:
        The file after the edit.

    Raises:
        CannotMendError: It cannot be read, something else changed too, or a comment is gone.
    """
    try:
        after = parse(text, document.path)
    except ConfigError:
        raise CannotMendError("unread") from None
    if after.kind != document.kind or len(after.sections) != len(document.sections):
        raise CannotMendError("unread")
    name = operation.get("rename") or operation.get("remove") or operation["set"]
    for before, now in zip(document.sections, after.sections, strict=True):
        values = _values(before)
        touched: set[str] = set()
        if before is section or _is_shared(name, section, before):
            touched = _parents(name) | _parents(operation.get("to", ""))
            values = expected(values, operation)
        _compare(values, _values(now), touched, operation.get("set", ""))
    if comments(document.kind, document.text) != comments(document.kind, text):
        raise CannotMendError("comment")
    return after


def expected(values: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    """Return values by dotted key as they should be after an operation."""
    if "set" in operation:
        name = operation["set"]
        kept = {key: value for key, value in values.items() if not key.startswith(name + ".")}
        return kept | {name: operation["value"]}
    old = operation.get("rename") or operation["remove"]
    new = operation.get("to")
    if new in values:
        raise CannotMendError("taken", to=str(new))
    result = {}
    for key, value in values.items():
        if key != old and not key.startswith(old + "."):
            result[key] = value
        elif new is not None:
            result[new + key[len(old) :]] = value
    return result


@functools.lru_cache(maxsize=2)  # that of a file before one edit is that after the one before
def comments(kind: str, text: str) -> list[str]:
    """Return the comments of a text, sorted; JSON has none."""
    if kind == "yaml":
        return yaml_comments(text)
    if kind == "python":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)
    if kind == "shell":
        return sorted(line.strip() for line in text.split("\n") if line.lstrip().startswith("#"))
    return []


def _values(section: Section) -> dict[str, Any]:
    return {key: setting.value for key, setting in section.settings.items()}


def _is_shared(name: str, section: Section, other: Section) -> bool:
    """Two commands may take a setting from one array."""
    mine, theirs = section.settings.get(name), other.settings.get(name)
    return mine is not None and theirs is not None and mine.key_place == theirs.key_place


def _parents(key: str) -> set[str]:
    parts = key.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts))}


def _compare(wanted: dict[str, Any], found: dict[str, Any], touched: set[str], added: str) -> None:
    for key in [*wanted, *found]:
        left, right = wanted.get(key, _MISSING), found.get(key, _MISSING)
        both = left is not _MISSING and right is not _MISSING
        # `repr` tells True from 1, and two values that are not known from one another's absence.
        if not both or (key not in touched and repr(left) != repr(right)):
            raise CannotMendError("others", key=key)
    order = [key for key in wanted if key != added]
    for key, at_its_place in zip((key for key in found if key != added), order, strict=False):
        if key != at_its_place:
            raise CannotMendError("others", key=key)
