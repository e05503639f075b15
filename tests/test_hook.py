"""An answer below the traceback, and never a second traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.book_root import BOOK_VARIABLE

if TYPE_CHECKING:
    from fixbook.book import Book

RAISES = "raise RuntimeError('widget 7 overflowed')"
TITLE = "Widget overflow"


def run(book: Book, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, BOOK_VARIABLE: str(book.root), "LC_ALL": "C.UTF-8", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_answer_stands_below_the_traceback(good: Book) -> None:
    said = run(good, f"import fixbook\nfixbook.install()\nfixbook.install()\n{RAISES}")
    traceback, _, answer = said.stderr.partition("RuntimeError: widget 7 overflowed\n")
    assert said.returncode == 1
    assert said.stdout == ""
    assert traceback.startswith("Traceback (most recent call last)")
    assert answer.count(TITLE) == 1


def test_it_speaks_the_language_of_the_terminal(good: Book) -> None:
    said = run(good, f"import fixbook\nfixbook.install()\n{RAISES}", LC_ALL="zh_CN.UTF-8")
    assert f"{TITLE}（中文）" in said.stderr


@pytest.mark.parametrize(
    ("code", "variables"),
    [
        (RAISES, {"FIXBOOK_HOOK": "0"}),
        ("raise RuntimeError('nothing that anybody knows')", {}),
        ("raise KeyboardInterrupt", {}),
        ("import sys; sys.exit(3)", {}),
        (RAISES, {BOOK_VARIABLE: "/nowhere"}),
    ],
)
def test_nothing_else_is_printed(good: Book, code: str, variables: dict[str, str]) -> None:
    """Where it is switched off, not in the book, asked for, or cannot answer."""
    plain = run(good, f"\n\n{code}", **variables)
    hooked = run(good, f"import fixbook\nfixbook.install()\n{code}", **variables)
    assert hooked.stderr == plain.stderr
    assert hooked.returncode == plain.returncode


def test_nothing_is_imported_before_there_is_an_exception(good: Book) -> None:
    code = """
import sys, fixbook
fixbook.install()
print(sorted(name for name in sys.modules if name.startswith("fixbook.")))
"""
    assert run(good, code).stdout.strip() == "['fixbook.api', 'fixbook.api.hook']"


def test_ipython_has_it_as_an_extension(good: Book) -> None:
    code = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("colors", "nocolor")
shell.run_line_magic("load_ext", "fixbook")
shell.run_cell({RAISES!r})
shell.run_line_magic("unload_ext", "fixbook")
shell.run_cell({RAISES!r})
"""
    said = run(good, code)
    shown = said.stdout + said.stderr
    assert shown.count("RuntimeError: widget 7 overflowed") >= 2
    assert shown.count(TITLE) == 1
