"""Speak of the reader's values: what his log names stands in texts and code, or a named blank.

A log is untrusted: a value goes into code only if it is a plain name or number, which no language
of our snippets reads as anything else. What is not becomes a blank.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE = re.compile(r"\{\{(?P<kind>yours|number):(?P<name>[a-z]\w{0,39})\}\}", re.ASCII)
# Neither starts an option, nor ends a string, a word of a shell or a value of YAML.
# A path may begin at the root, at home or here.
NAME = re.compile(r"(?:~?/|\.{1,2}/)?\w(?:[\w./:@+-]{0,118}\w)?", re.ASCII)
NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
# Not "<…>", which redirects in a shell and is a tag on a page.
BLANK = "‹{}›"


def place(name: str, *, number: bool) -> str:
    """Return what stands in the index where a value goes.

    Args:
        name: The name of the value.
        number: True if it stands for a number: then nothing but a number goes there.
    """
    return "{{" + ("number" if number else "yours") + f":{name}}}}}"


def filled(text: str, captures: Mapping[str, str], blanks: Mapping[str, str]) -> str:
    """Fill the places of a text or of code.

    Args:
        text: What holds them.
        captures: Values of the reader's log, by name.
        blanks: What stands where a value is not known, by name.
    """

    def value(match: re.Match[str]) -> str:
        allowed = NUMBER if match["kind"] == "number" else NAME
        found = captures.get(match["name"], "")
        return found if allowed.fullmatch(found) else BLANK.format(blanks.get(match["name"], "…"))

    return PLACE.sub(value, text)
