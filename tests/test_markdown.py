"""Pages in a terminal: prose is wrapped, code is not, and each language by its own rules."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest

from fixbook.article.markdown import as_markdown
from fixbook.article.shelf import read_page
from fixbook.cli.markdown import Terminal
from fixbook.cli.wrapping import cells
from fixbook.text import LANGS, Lang
from tests.real_book import real_book

PAGE = """# A title with `code`

*One sentence that is so long that it has to go on in the next line of the terminal.*

- An item with **stress** that goes on and on until it has to be wrapped somewhere.

  Its second paragraph.

1. First.

    ```diff
    - old = 1
    + new = a_call(with_many_arguments, that_would_not, fit_into_a_line_of_forty_cells)
    ```

| Your message shows | Do this |
| --- | --- |
| `a \\| b`, or a text that is too long for its column | short |

See [the page](https://example.org/page) and [a part](#part)."""


@pytest.fixture
def shown() -> str:
    return Terminal(40).text(PAGE)


def test_prose_is_wrapped_and_items_hang(shown: str) -> None:
    assert "\n• An item with stress that goes on and\n  on until" in shown
    assert "\n  Its second paragraph.\n" in shown
    assert "\n1. First.\n" in shown
    prose = [line for line in shown.split("\n") if "a_call" not in line]
    assert max(map(cells, prose)) <= 40


def test_code_stands_as_it_is_and_keeps_its_marks_without_colours(shown: str) -> None:
    assert "  + new = a_call(with_many_arguments, that_would_not, fit_into_a_line_of_f" in shown
    assert shown.startswith("# A title with `code`\n")
    assert "```" not in shown


def test_stars_in_code_are_no_stress() -> None:
    text = Terminal(80).text("*Write `generate(**inputs)`, and `f(**more)` as well.*")
    assert text == "Write `generate(**inputs)`, and `f(**more)` as well."


def test_a_table_has_its_cells_below_each_other(shown: str) -> None:
    rows = shown.partition("─" * 40)[2].split("\n\n")[0].strip("\n").split("\n")
    assert rows[0].startswith("`a | b`, or")
    assert rows[0].endswith("  short")
    assert len(rows) > 1


def test_links_say_where_they_lead(shown: str) -> None:
    assert "See the page <https://example.org/page>\nand a part." in shown


def test_colours_stand_for_marks() -> None:
    coloured = Terminal(40, coloured=True).text(PAGE)
    assert click.style("  - old = 1", fg="red") in coloured
    assert "`" not in coloured
    assert "**" not in coloured
    plain = Terminal(40).text(PAGE)
    bare = re.compile(r"[#`\s]+")
    assert bare.sub("", click.unstyle(coloured)) == bare.sub("", plain)


def test_chinese_begins_no_line_with_punctuation() -> None:
    text = Terminal(20).text("先确认一件事，然后再做另一件事（这一件更重要），最后检查。" * 3)
    lines = text.split("\n")
    assert all(cells(line) <= 22 for line in lines)
    assert not [line for line in lines if line[0] in "，。）"]
    assert not [line for line in lines if line[-1] == "（"]


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_is_shown_whole(lang: Lang) -> None:
    """Whatever stands in a page stands on the terminal, but for marks, blanks and rules."""
    dropped = re.compile(r"[#`*|─•\s<>\[\]()-]+")
    apart = re.compile(r"(?m)^ *`{3,}\w*$|^\|.*$")  # fences; cells stand beside each other
    book = real_book()
    for name in [*list(book.entries)[::23], *list(book.symptoms)[::11]]:
        page = apart.sub("", as_markdown(read_page(book.root, name, lang), lang))
        page = re.sub(r"(\]\()(?!https?:)[^)]*\)", "", page)
        said = Terminal(80).text(as_markdown(read_page(book.root, name, lang), lang))
        missing = set(dropped.split(page)) - set(dropped.split(said))
        joined = dropped.sub("", said)
        assert not [part for part in missing if part not in joined], name


def test_showing_a_page_imports_little() -> None:
    code = (
        "import sys\nfrom fixbook.cli.show import command\n"
        "print(sorted({'rich', 'pygments', 'yaml', 'pydantic'} & sys.modules.keys()))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
