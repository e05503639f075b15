"""A name that nothing has is refused at once, with the nearest ones; a fix's id names its steps."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.cli import cli
from fixbook.problem import BookError
from fixbook.recipe.reading import read_outline
from fixbook.trial.stage import stage_of, step_named, steps_named
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

SLUG = "widget-overflow"
ANOTHER = """
@fix("mend-it", control="it-breaks")
def mended_again():
    return fill(mended=True)
"""


def test_no_entry_is_read_for_a_name_that_none_has(make_book: MakeBook) -> None:
    root = make_book().root
    code = (
        "import sys\nfrom fixbook.api.book import Book\nfrom fixbook.problem import BookError\n"
        "try:\n    Book().page('widget-overflw')\n"
        "except BookError as error:\n    print(error)\n"
        "print(sorted({'pydantic', 'yaml', 'fixbook.book'} & set(sys.modules)))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"FIXBOOK_BOOK": str(root), "PATH": "", "PYTHONPATH": ":".join(sys.path)},
        check=True,
    )
    assert "did you mean widget-overflow?" in answer.stdout
    assert answer.stdout.endswith("[]\n")


def test_a_folder_without_entries_is_no_book(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("FIXBOOK_BOOK", str(tmp_path))
    for command in ("show", "run"):
        with pytest.raises(BookError, match="holds no book"):
            cli.main([command, SLUG], standalone_mode=False)


def test_the_id_of_a_fix_stands_for_its_steps(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE + ANOTHER)
    outline = read_outline(book.get(SLUG).recipe)
    assert [step.name for step in steps_named(outline, "mend-it")] == ["mended", "mended-again"]
    assert step_named(outline, "shake-it").name == "shaken"
    with pytest.raises(BookError, match="name one: mended, mended-again"):
        step_named(outline, "mend-it")
    stage = stage_of(book.get(SLUG), ["mend-it"])
    assert {step.name for step in stage.run} == {"mended", "mended-again", "it-breaks"}
