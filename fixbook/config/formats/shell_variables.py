"""What variables of a script hold where a command uses them; only what can be told is put in."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from fixbook.config.errors import ConfigError
from fixbook.config.formats.shell_words import Word, parts
from fixbook.config.formats.yaml_format import REFUSED
from fixbook.config.setting import UNKNOWN
from fixbook.config.special_tokens import is_special

_MOST = 1_000_000
_LONGEST_VALUE = 2_000
_VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-([^{}$]*))?\}|(\w+))")
_ALL_OF = re.compile(r"\$\{(\w+)(?:\[[@*]\])?\}|\$(\w+)")
_EXPONENT = re.compile(r"[+-]?\d+(\.\d*)?[eE][+-]?\d+")
_LEFT_OPEN = re.compile(r"\.{2,}|…|<[^<>]+>|\{\w+\}")  # to be filled in by whoever uses the text
_FILLED_IN = ("$", "`", "{{")  # by the shell, or by a template
_OPENS, _CLOSES = {"if", "case"}, {"fi", "esac"}


class Variables:
    """The variables of one script, in the order in which it sets them.

    Of one that branches set to different values, the value is not known.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = _MOST  # characters and words that variables may still put in
        self._values: dict[str, str] = {}
        self._arrays: dict[str, list[Word]] = {}
        self._branches = 0

    def keep_count(self, word: str) -> None:
        """See the first word of a command: branches begin and end with some."""
        if word in _OPENS:
            self._branches += 1
        elif word in _CLOSES:
            self._branches = max(0, self._branches - 1)

    def set(self, name: str, text: str, *, appended: bool = False) -> str:
        """Remember a value, and return it."""
        value = self.expanded(text)
        if appended and name in self._values:
            self._spend(len(self._values[name]))
            value = self._values[name] + value
        if self._branches and self._values.get(name, value) != value:
            value = f"${{{name}}}"
        self._values[name] = value
        return value

    def set_array(self, name: str, words: list[Word]) -> None:
        """Remember an array."""
        self._arrays[name] = words

    def expanded(self, text: str) -> str:
        """Return a text with the values of variables in it; one that is not known stays."""

        def value(found: re.Match[str]) -> str:
            put_in = self._values.get(found[1] or found[3], found[2] or found[0])
            self._spend(len(put_in))
            return put_in

        return _VARIABLE.sub(value, text)

    def spread(self, words: list[Word]) -> list[Word]:
        """Put the words of an array, or of a variable of several words, in its place."""
        result: list[Word] = []
        for word in words:
            found = _ALL_OF.fullmatch(word.text)
            name = (found[1] or found[2]) if found else ""
            if name in self._arrays:
                self._spend(len(self._arrays[name]))
                result += self._arrays[name]
            elif found and " " in self._values.get(name, ""):
                self._spend(len(self._values[name]))
                value = self._values[name].replace("\\\n", " ")
                result += [Word(part, word.start, word.end, raw=False) for part in parts(value)]
            else:
                result.append(word)
        return result

    def value(self, text: str) -> Any:
        """Return the value that a word is read as."""
        text = self.expanded(text)
        is_open = any(sign in text for sign in _FILLED_IN) or _LEFT_OPEN.fullmatch(text)
        if (is_open and not is_special(text)) or len(text) > _LONGEST_VALUE:
            return UNKNOWN
        try:
            value = yaml.safe_load(text)
        except (*REFUSED, RecursionError):
            return text
        if isinstance(value, str) and _EXPONENT.fullmatch(value):
            return float(value)
        return text if value is None and text else value

    def json(self, text: str) -> Any:
        """Return the value of a word that is JSON."""
        try:
            return json.loads(self.expanded(text))
        except ValueError:
            return UNKNOWN

    def _spend(self, size: int) -> None:
        """Bound what variables put in: one that holds itself twice doubles with each line."""
        self._left -= size
        if self._left < 0:
            raise ConfigError(self._name, "grows", most=_MOST)
