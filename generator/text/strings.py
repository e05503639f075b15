"""The words of the site around the entries, in both languages, from ``strings.yaml``."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.book import read_yaml

if TYPE_CHECKING:
    from fixbook.text import Lang

FILE = Path(__file__).with_name("strings.yaml")


@functools.cache
def all_strings() -> dict[str, dict[str, str]]:
    """Read every string: key, then language."""
    strings: dict[str, dict[str, str]] = read_yaml(FILE).value
    return strings


@dataclass(frozen=True, slots=True)
class Words:
    """The strings of one language.

    Attributes:
        lang: The language.
    """

    lang: Lang

    def __call__(self, key: str, **values: Any) -> str:
        """Return a string with its ``{placeholders}`` filled in.

        Raises:
            KeyError: There is no such string.
        """
        text = all_strings()[key][self.lang]
        return text.format(**values) if values else text
