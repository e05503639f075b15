"""Edit JSON, Python keyword arguments and shell options at the places where they stand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.patch import CannotMendError

if TYPE_CHECKING:
    from fixbook.config.setting import Document, Section, Setting


def edited(document: Document, section: Section, operations: list[dict[str, Any]]) -> str:
    """Return the text with operations applied.

    Raises:
        CannotMendError: A place does not hold what it should, or has none.
    """
    changes: list[tuple[int, int, str]] = []
    for operation in operations:
        name = operation.get("rename") or operation.get("remove") or operation["set"]
        setting = section.settings.get(name)
        if setting is None:
            changes.append(_added(document, section, name, operation))
        elif setting.inherited:
            raise CannotMendError(f"{name} comes from a variable")
        elif "rename" in operation:
            changes.append(_renamed(document, setting, operation["to"]))
        elif "set" in operation:
            changes.append(_set(document, setting, operation["value"]))
        else:
            changes.append(_removed(document, setting))
    text = document.text
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _renamed(document: Document, setting: Setting, new: str) -> tuple[int, int, str]:
    place = setting.key_place
    written = document.text[place.start : place.end]
    name = new if document.kind == "shell" else new.rpartition(".")[2]
    if document.kind == "shell" and written.startswith("--"):
        return place.start, place.end, "--" + name
    quote = written[0] if written[:1] in {'"', "'"} else ""
    return place.start, place.end, f"{quote}{name}{quote}"


def _set(document: Document, setting: Setting, value: Any) -> tuple[int, int, str]:
    if setting.value_place is None:
        raise CannotMendError(f"{setting.key} has no value to change")
    return setting.value_place.start, setting.value_place.end, _written(document.kind, value)


def _written(kind: str, value: Any) -> str:
    if kind == "python" and not isinstance(value, str):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    return text.strip('"') if kind == "shell" else text


def _added(
    document: Document, section: Section, name: str, operation: dict[str, Any]
) -> tuple[int, int, str]:
    if "set" not in operation:
        raise CannotMendError(f"{name} is not set")
    if document.kind == "shell":
        raise CannotMendError(f"where to add {name} is for a person to say")
    parent = name.rpartition(".")[0]
    siblings = [item for item in section.settings.values() if item.key.rpartition(".")[0] == parent]
    if not siblings or siblings[-1].value_place is None:
        raise CannotMendError(f"there is no place for {name}")
    last = siblings[-1]
    short, value = name.rpartition(".")[2], _written(document.kind, operation["value"])
    nested_python = document.kind == "python" and "." in name
    pair = f'"{short}": {value}' if document.kind == "json" or nested_python else f"{short}={value}"
    end = last.value_place.end if last.value_place else 0
    line = document.text.rfind("\n", 0, last.key_place.start) + 1
    indent = document.text[line : last.key_place.start]
    gap = "\n" + indent if not indent.strip() and line else " "
    return end, end, f",{gap}{pair}"


def _removed(document: Document, setting: Setting) -> tuple[int, int, str]:
    text = document.text
    start = setting.key_place.start
    end = setting.value_place.end if setting.value_place else setting.key_place.end
    if document.kind == "shell":
        before = re.compile(r"[ \t]*(?:\\\n[ \t]*)?$").search(text, 0, start)
        return (before.start() if before else start), end, ""
    after = re.compile(r"\s*,[ \t]*(?=\S|\n)").match(text, end)
    if after:
        whole = re.compile(r"\n?").match(text, after.end())
        line = text.rfind("\n", 0, start) + 1
        if whole and whole.end() > after.end() and not text[line:start].strip():
            return line, whole.end(), ""
        return start, after.end(), ""
    before_it = re.compile(r",\s*$").search(text, 0, start)
    return (before_it.start() if before_it else start), end, ""
