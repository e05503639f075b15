"""Every pattern means the same in every implementation, and none can be made to take long."""

from __future__ import annotations

import importlib.util
import itertools
from typing import TYPE_CHECKING

from fixbook.gates.effort import MOST_STEPS, steps_of
from fixbook.index.cache import INDEX
from fixbook.index.cases import patterns_of_cases
from fixbook.log.literals import MIN_LENGTH, required_literals
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book
    from fixbook.gates.reading import Reading


def portable_patterns(reading: Reading) -> Iterator[Problem]:
    """Check that patterns are RE2, and that lines can be chosen by a literal in each."""
    checked = importlib.util.find_spec("re2") is not None
    # A book that a wheel carries was checked where the wheel was made.
    if not checked and not (reading.book.root / INDEX).is_file():
        what = _("re2 is not installed, so whether patterns are RE2 was not checked")
        yield Problem("signatures", what, _("run 'pip install google-re2'"))
    lines = list(itertools.chain(searched(reading.book), expected(reading.book)))
    for where, pattern in (*lines, *compared(reading.book)):
        reason = _not_re2(pattern) if checked else None
        if reason:
            mend = _("RE2 has no look-around and no back-references; use context/unless instead")
            what = _("{pattern!r} is not RE2: {reason}").format(pattern=pattern, reason=reason)
            yield Problem(where, what, mend)
    for where, pattern in lines:
        if not required_literals(pattern):
            what = _("{pattern!r} can match without any literal of {length} characters")
            what = what.format(pattern=pattern, length=MIN_LENGTH)
            yield Problem(where, what, _("put literal text in; lines are chosen by it"))


def _not_re2(pattern: str) -> str | None:
    import re2  # noqa: PLC0415  (a tool of the suite, not of the library)

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        return reason.decode() if isinstance(reason, bytes) else str(reason)
    return None


def quick_patterns(reading: Reading) -> Iterator[Problem]:
    """Check that no line of a reader's log, whatever is in it, makes a search take long."""
    for where, pattern in searched(reading.book):
        steps = steps_of(pattern)
        if steps > MOST_STEPS:
            what = _("{pattern!r} may take {steps:,.0f} steps for each character of a line")
            mend = _(
                "bound the repetitions, as in \\d{{1,9}}, and begin with text that they cannot run "
                "over; at most {most} steps are allowed"
            )
            what = what.format(pattern=pattern, steps=steps)
            yield Problem(where, what, mend.format(most=MOST_STEPS))


def searched(book: Book) -> Iterator[tuple[str, str]]:
    """Yield every pattern that is searched in readers' logs, with the place where it stands."""
    for item in book.entries.values():
        for index, signature in enumerate(item.entry.signatures):
            where = item.source.where(("signatures", index))
            for pattern in (signature.pattern, *signature.context, *signature.unless):
                yield where, pattern
        for pattern in patterns_of_cases(item.entry.cases()):
            yield item.source.where(("fixes",)), pattern
    for name, symptom in book.symptoms.items():
        for pattern in symptom.patterns:
            yield f"symptoms/{name}.yaml", pattern


def compared(book: Book) -> Iterator[tuple[str, str]]:
    """Yield every pattern that a captured value is compared with; no line is chosen by it."""
    for item in book.entries.values():
        for case in item.entry.cases():
            for value in case.captures.values():
                if value.matches:
                    yield item.source.where(("fixes",)), value.matches


def expected(book: Book) -> Iterator[tuple[str, str]]:
    """Yield every pattern that is searched in the logs of our own steps alone."""
    for item in book.entries.values():
        for name, step in item.entry.steps.items():
            if step.fails and step.fails.log:
                yield item.source.where(("steps", name, "fails")), step.fails.log
