"""Read JSON with the place of every key and value."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from fixbook.config.errors import ConfigError
from fixbook.config.formats import MAX_DEPTH
from fixbook.config.formats.places import Places
from fixbook.config.reasons import json_in_chinese
from fixbook.config.setting import Section, Setting

_SPACE = re.compile(r"[ \t\n\r]*")
_ATOM = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def read(text: str, name: str) -> tuple[Section, list[Setting]]:
    """Read one object.

    Raises:
        ConfigError: It is not JSON, or not an object.
    """
    reader = _Reader(text)
    try:
        json.loads(text)
        position = reader.space(0)
        if text[position : position + 1] != "{":
            raise ConfigError(name, "no-settings")
        reader.value(position, ())
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}:{error.colno}"
        raise ConfigError(
            where, "bad-json", reason=error.msg, zh=json_in_chinese(error.msg)
        ) from None
    except ValueError as error:  # a number of thousands of digits
        zh = json_in_chinese(str(error))
        raise ConfigError(name, "bad-json", reason=error, zh=zh) from None
    except RecursionError:
        raise ConfigError(name, "too-deep") from None
    return reader.section, reader.repeated


class _Reader:
    """Walks text that `json` has accepted already."""

    def __init__(self, text: str) -> None:
        self.section = Section()
        self.repeated: list[Setting] = []
        self._text = text
        self._places = Places(text)

    def space(self, position: int) -> int:
        found = _SPACE.match(self._text, position)
        return found.end() if found else position

    def value(self, start: int, path: tuple[str, ...]) -> tuple[Any, int]:
        if len(path) > MAX_DEPTH:
            raise RecursionError
        match self._text[start]:
            case "{":
                return self._object(start, path)
            case "[":
                return self._array(start, path)
            case '"':
                text, end = scanstring(self._text, start + 1)
                return text, end
        atom = _ATOM.match(self._text, start)
        end = atom.end() if atom else start + 1
        return json.loads(self._text[start:end]), end

    def _object(self, start: int, path: tuple[str, ...]) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {}
        position = self.space(start + 1)
        while self._text[position] != "}":
            key, key_end = scanstring(self._text, position + 1)
            value_start = self.space(self.space(key_end) + 1)
            value, end = self.value(value_start, (*path, key))
            key_place, value_place = (
                self._places.at(position, key_end),
                self._places.at(value_start, end),
            )
            setting = Setting((*path, key), value, key_place, value_place)
            self.section.add(setting)
            if key in result:
                self.repeated.append(setting)
            result[key] = value
            position = self._next(end)
        return result, position + 1

    def _array(self, start: int, path: tuple[str, ...]) -> tuple[list[Any], int]:
        result: list[Any] = []
        position = self.space(start + 1)
        while self._text[position] != "]":
            value, end = self.value(position, (*path, str(len(result))))
            result.append(value)
            position = self._next(end)
        return result, position + 1

    def _next(self, end: int) -> int:
        position = self.space(end)
        return self.space(position + 1) if self._text[position] == "," else position
