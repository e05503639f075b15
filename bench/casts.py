"""Put what a command printed into a page, in the block below a heading of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fixbook.text import LANGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_FENCE = "````"


def write_casts(
    docs: Path,
    page: str,
    names: Iterable[str],
    cast: Callable[[str, str], str],
    langs: Iterable[str] = LANGS,
) -> None:
    """Run what each block shows, and write the pages.

    Args:
        docs: The folder of the pages.
        page: The name of the page, in the folder of its language.
        names: Of the blocks; one stands below the heading ``#run-NAME``.
        cast: Runs what a name stands for in a language, and returns what is to be shown.
        langs: Whose pages are written.
    """
    names = tuple(names)
    for lang in langs:
        path = docs / lang / page
        text = path.read_text("utf-8")
        for name in names:
            head, heading, below = text.partition(f"{{: #run-{name} }}\n")
            said, fence, rest = below.partition(f"{_FENCE}console\n")
            _old, end, after = rest.partition(f"\n{_FENCE}\n")
            if not (heading and fence and end):
                sys.exit(f"{path}: expected a block below the heading #run-{name}")
            text = f"{head}{heading}{said}{fence}{cast(name, lang)}{end}{after}"
        path.write_text(text, "utf-8")
