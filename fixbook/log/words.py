"""The words of an answer, in both languages: the terminal's and the browser's are the same."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.text import Lang

FILE = Path(__file__).with_name("words.json")


@functools.cache
def words_of(lang: Lang) -> dict[str, str]:
    """Return the words of one language; ``{names}`` in them are to be filled in."""
    words: dict[str, dict[str, str]] = json.loads(FILE.read_bytes())
    return {key: texts[lang] for key, texts in words.items()}
