"""Edit JSON, Python keyword arguments and shell options at the places where they stand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.edit import CannotMendError, Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_COMMENTED = re.compile(r",[ \t]*#[^\n]*")  # what is said of a value, behind its comma


def edits(
    document: ConfigDocument, section: Section, operation: dict[str, Any]
) -> Iterator[list[Edit]]:
    """Yield the way to carry out an operation.

    Args:
        document: The file.
        section: One section of it.
        operation: ``set`` with ``value``, ``remove``, or ``rename`` with ``to``.

    Raises:
        CannotMendError: There is none.
    """
    name = operation.get("rename") or operation.get("remove") or operation["set"]
    setting = section.settings.get(name)
    if setting is None:
        yield [_added(document, section, name, operation)]
    elif setting.inherited:
        raise CannotMendError("inherited", key=name)
    elif "rename" in operation:
        hyphens = section.schema.tool.serves
        yield [_renamed(document, setting, operation["to"], hyphens=hyphens)]
    elif "set" in operation:
        yield [_set(document, setting, operation["value"])]
    else:
        yield [_removed(document, setting)]


def _renamed(document: ConfigDocument, setting: Setting, new: str, *, hyphens: bool) -> Edit:
    place = setting.key_place
    written = document.text[place.start : place.end]
    name = new if document.kind == "shell" else new.rpartition(".")[2]
    if document.kind == "shell" and written.startswith("--"):
        return Edit(place.start, place.end, "--" + (name.replace("_", "-") if hyphens else name))
    quote = written[0] if written[:1] in {'"', "'"} else ""
    return Edit(place.start, place.end, f"{quote}{name}{quote}")


def _set(document: ConfigDocument, setting: Setting, value: Any) -> Edit:
    if setting.value_place is None:
        raise CannotMendError("no-value", key=setting.key)
    return Edit(setting.value_place.start, setting.value_place.end, _written(document.kind, value))


def _written(kind: str, value: Any) -> str:
    if kind == "python" and not isinstance(value, str):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    return text.strip('"') if kind == "shell" else text


def _added(
    document: ConfigDocument, section: Section, name: str, operation: dict[str, Any]
) -> Edit:
    if "set" not in operation:
        raise CannotMendError("absent", key=name)
    if document.kind == "shell":
        raise CannotMendError("no-place", key=name)
    parent = tuple(name.split("."))[:-1]
    siblings = [item for item in section.settings.values() if item.path[:-1] == parent]
    if not siblings or siblings[-1].value_place is None:
        raise CannotMendError("no-place", key=name)
    last = siblings[-1]
    short, value = name.rpartition(".")[2], _written(document.kind, operation["value"])
    nested_python = document.kind == "python" and "." in name
    pair = f'"{short}": {value}' if document.kind == "json" or nested_python else f"{short}={value}"
    end = last.value_place.end if last.value_place else 0
    line = document.text.rfind("\n", 0, last.key_place.start) + 1
    indent = document.text[line : last.key_place.start]
    gap = "\n" + indent if not indent.strip() and line else " "
    if commented := _COMMENTED.match(document.text, end):
        return Edit(commented.end(), commented.end(), f"{gap}{pair},")
    return Edit(end, end, f",{gap}{pair}")


def _removed(document: ConfigDocument, setting: Setting) -> Edit:
    text = document.text
    start = setting.key_place.start
    end = setting.value_place.end if setting.value_place else setting.key_place.end
    if document.kind == "shell":
        before = re.compile(r"[ \t]*(?:\\\n[ \t]*)?$").search(text, 0, start)
        return Edit((before.start() if before else start), end, "")
    after = re.compile(r"\s*,[ \t]*(?=\S|\n)").match(text, end)
    if after:
        whole = re.compile(r"\n?").match(text, after.end())
        line = text.rfind("\n", 0, start) + 1
        if whole and whole.end() > after.end() and not text[line:start].strip():
            return Edit(line, whole.end(), "")
        return Edit(start, after.end(), "")
    before_it = re.compile(r",\s*$").search(text, 0, start)
    return Edit((before_it.start() if before_it else start), end, "")
