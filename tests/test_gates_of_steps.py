"""What a step leaves out, what its log cannot hold, and where measurements were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conftest import RECIPE, both
from tests.gating import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def test_differs_does_not_excuse_less(make_book: MakeBook, entry: dict[str, Any]) -> None:
    whole = RECIPE.replace("    return fill(mended=True)\n", "    pack()\n    fill(mended=True)\n")
    whole = whole.replace("    fill()\n", "    pack()\n    fill()\n", 1)
    whole += "\ndef pack(): pass\n"
    entry["steps"]["mended"]["differs"] = both("It makes no difference.")
    assert found(make_book(entry, whole), "removals") == ""
    half = whole.replace("    pack()\n    fill(mended=True)\n", "    fill(mended=True)\n")
    assert "step 'mended' leaves out pack() of its control" in found(
        make_book(entry, half), "removals"
    )
    within = half.replace(
        "def fill(", "def fill(mended=False, shaken=False):\n    pack()\n\ndef _("
    )
    assert found(make_book(entry, within), "removals") == ""


def test_an_argument_is_part_of_a_step(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["steps"]["mended"]["differs"] = both("It makes no difference.")
    recipe = RECIPE.replace("    fill()\n", "    fill(shaken=True)\n", 1)
    assert "leaves out shaken= of its control" in found(make_book(entry, recipe), "removals")


CHILD = '''
from fixbook.recipe.helpers import run_python

CODE = """
boxes = dict(width=3)
boxes["height"]
print("no box left")
"""

@reproduce()
def in_a_child():
    run_python(CODE)
    raise SystemExit(1)
'''


def test_code_given_as_text_has_no_source_lines(make_book: MakeBook, entry: dict[str, Any]) -> None:
    step: dict[str, Any] = {"title": both("In a child"), "fails": {"log": r'boxes\["height"\]'}}
    entry["steps"]["in-a-child"] = step
    assert "a source line of code run by -c" in found(
        make_book(entry, RECIPE + CHILD), "source-lines"
    )
    step["fails"] = {"log": "no box left"}
    assert found(make_book(entry, RECIPE + CHILD), "source-lines") == ""


def test_a_measurement_is_made_on_the_first_fix(make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert found(make_book(entry), "negative-controls") == ""
    elsewhere = RECIPE.replace("look(mended=True)", "look(other=True)")
    elsewhere = elsewhere.replace("def look(mended=False)", "def look(mended=False, other=False)")
    book = make_book(entry, elsewhere)
    assert "was never made on the fix 'mend-it'" in found(book, "negative-controls")
    exempt = book.root / "exempt-from-negative-control.txt"
    exempt.write_text("widget-overflow\n", "utf-8")
    assert found(book, "negative-controls") == ""
    exempt.write_text("widget-overflow\nno-entry\n", "utf-8")
    text = found(book, "negative-controls")
    assert "is not sorted" in text
    assert "exempts 'no-entry', which is no entry" in text
    book = make_book(entry)
    exempt.write_text("widget-overflow\n", "utf-8")
    assert "exempts 'widget-overflow' without need" in found(book, "negative-controls")
