"""Recipes ask for the versions that the requirements files pin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.reading import pins, scripts, with_pins, without_pin
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading


def agreeing_pins(reading: Reading) -> Iterator[Problem]:
    """Check that the metadata of recipes holds the pinned versions; only a checkout has pins."""
    root = reading.book.root
    versions = pins(root)
    for path in scripts(root) if versions else ():
        text = path.read_text("utf-8")
        try:
            for name in without_pin(text, versions):
                what = _("needs {name}, which no requirements file pins").format(name=name)
                yield Problem(str(path), what, _("add NAME==VERSION to requirements.txt"))
            if with_pins(text, versions) != text:
                what = _("asks for other versions than the requirements files pin")
                yield Problem(str(path), what, _("run 'scripts/write-pins'"))
        except ValueError as error:
            what = _("has wrong script metadata: {reason}").format(reason=error)
            yield Problem(str(path), what, _("see PEP 723"))
