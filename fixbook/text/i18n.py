"""Messages of the command in the language of its reader.

The code says everything in English; ``locale/zh`` holds the Chinese. The language is chosen once,
when the command starts, and looked up when a message is made. ``scripts/update-messages`` collects
the messages of the code and compiles the catalogue.
"""

from __future__ import annotations

import functools
import gettext
import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fixbook.text.languages import Lang

DOMAIN = "fixbook"
FOLDER = Path(__file__).parents[1] / "locale"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts, as POSIX has it


class _Chosen:
    lang: Lang = "en"


def choose(lang: Lang) -> None:
    """Say everything from here on in this language, in every thread."""
    _Chosen.lang = lang


def language() -> Lang:
    """Return the language that was chosen."""
    return _Chosen.lang


def terminal_language() -> Lang:
    """Return the language of the terminal: Chinese for a ``zh`` locale, else English."""
    named = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def language_of(arguments: Sequence[str]) -> Lang:
    """Return the language that a command line asks for, before anything else of it is read.

    Args:
        arguments: What follows the program's name.

    Returns:
        The value of the last ``--lang``; that of the terminal if there is none.
    """
    asked = [after for name, after in itertools.pairwise(arguments) if name == "--lang"]
    asked += [text.partition("=")[2] for text in arguments if text.startswith("--lang=")]
    for lang in reversed(asked):
        if lang in {"zh", "en"}:
            return "zh" if lang == "zh" else "en"
    return terminal_language()


def _(message: str) -> str:
    """Return a message in the chosen language; one without a translation stays English."""
    return translator(_Chosen.lang)(message)


def translator(lang: Lang) -> Callable[[str], str]:
    """Return `_` for one language, whichever was chosen."""
    return _catalogue(lang).gettext


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of a message that a number asks for, in the chosen language."""
    return _catalogue(_Chosen.lang).ngettext(one, many, count)


def N_(message: str) -> str:  # noqa: N802  (gettext's own name)
    """Mark a message that is translated where it is shown, as one in a table is."""
    return message


@functools.cache
def _catalogue(lang: Lang) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, FOLDER, [lang], fallback=lang == "en")
