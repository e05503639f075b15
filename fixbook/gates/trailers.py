"""What libraries print beside any error, or beside none, tells nothing of a cause."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.book import read_yaml
from fixbook.log.normalise import clean_line
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

FILE = Path(__file__).with_suffix(".yaml")


@functools.cache
def trailers() -> tuple[tuple[str, str], ...]:
    """Return every advice, notice and heading, with the project and the file that it comes from."""
    projects = read_yaml(FILE).value
    return tuple(
        (text, f"{project} {file}")
        for project, files in projects.items()
        for file, texts in files.items()
        for text in texts
    )


def trailers_tell_nothing(reading: Reading) -> Iterator[Problem]:
    """Check that no signature and no message matches one, in capital or small letters."""
    for matcher in reading.index.matchers:
        pattern = re.compile(matcher.pattern, re.ASCII | re.IGNORECASE)
        for text, source in trailers():
            if pattern.search(clean_line(text)[0]):
                what = _("{pattern!r} of {owner!r} matches what tells nothing: {text!r}")
                what = what.format(pattern=pattern.pattern, owner=matcher.owner, text=text)
                mend = _("narrow it to the error itself; {source} prints this beside others")
                yield Problem(matcher.owner, what, mend.format(source=source))
