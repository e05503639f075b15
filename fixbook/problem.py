"""What is wrong with a file, said so that it can be mended."""

from __future__ import annotations

from dataclasses import dataclass

from fixbook.text import _, printable


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: where, what, and what to do.

    Attributes:
        where: File, and line if known, as ``path:line``.
        what: What was found and what was expected.
        mend: How to put it right.
    """

    where: str
    what: str
    mend: str = ""

    def __str__(self) -> str:
        """Return ``where: what`` with the way to mend it on a second line."""
        mend = "\n    " + _("mend: {mend}").format(mend=self.mend) if self.mend else ""
        return printable(f"{self.where}: {self.what}{mend}")


class BookError(Exception):
    """A file of the book is not usable.

    Attributes:
        problems: Every problem found, not only the first.
    """

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self) -> tuple[type[BookError], tuple[list[Problem]]]:
        """Travel between processes with all problems; by itself only the text would."""
        return type(self), (self.problems,)
