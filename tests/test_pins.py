"""Versions stand in one place, and the headers of recipes follow them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.environment import installed_version
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.recipe.reading.pins import pins, with_pins
from fixbook.versions import within

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

ROOT = Path(__file__).resolve().parents[1]
HEADER = """\
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch", "PyYAML==5.1", "own-thing==3",
# ]
#
# [[tool.uv.dependency-metadata]]
# name = "torch"
# version = "1.0"
# requires-dist = []
# ///
OLD = ["torch==2.5.1"]
"""


def test_a_header_follows_the_pins_and_nothing_else_does() -> None:
    new = with_pins(HEADER, {"torch": "2.13.0", "pyyaml": "6.0.3"})
    assert '"fixbook", "torch==2.13.0", "PyYAML==6.0.3", "own-thing==3",' in new
    assert '# name = "torch"\n# version = "2.13.0"\n' in new
    assert new.endswith('OLD = ["torch==2.5.1"]\n')
    assert with_pins(new, {"torch": "2.13.0", "pyyaml": "6.0.3"}) == new


def test_a_recipe_that_asks_for_other_versions_is_named(make_book: Callable[..., Book]) -> None:
    book = make_book()
    path = book.get("widget-overflow").recipe
    gate = GATES["pins"]
    assert not list(gate(Reading(book))), "no requirements files, no pins"
    (book.root / "requirements.txt").write_text("# all\n-r other.txt\ntorch==2.13.0\n", "utf-8")
    assert pins(book.root) == {"torch": "2.13.0"}
    text = path.read_text("utf-8")
    path.write_text(text.replace('["fixbook"]', '["fixbook", "torch==2.13.0"]'), "utf-8")
    assert not list(gate(Reading(book)))
    path.write_text(text.replace('["fixbook"]', '["fixbook", "torch==2.12.0", "peft"]'), "utf-8")
    unknown, other = gate(Reading(book))
    assert "needs peft, which no requirements file pins" in str(unknown)
    assert "run 'scripts/write-pins'" in str(other)


@pytest.mark.recipes
def test_the_suite_runs_on_the_pinned_versions() -> None:
    """Evidence that is recorded here is then that of the book's pins."""
    installed = {name: (installed_version(name) or "0", pin) for name, pin in pins(ROOT).items()}
    assert len(installed) > 50
    others = {name: both for name, both in installed.items() if not within(both[0], f"=={both[1]}")}
    assert not others, "run 'make env'"
