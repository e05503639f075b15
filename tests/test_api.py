"""What programs call: five names, loaded when used, each the plain data of its command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import fixbook
from fixbook.book_root import BOOK_VARIABLE
from fixbook.cli import cli
from fixbook.problem import BookError

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Book

LOG = "[rank1]: widget 7 overflowed\n"


def printed(*arguments: object) -> Any:
    result = CliRunner().invoke(cli, [*map(str, arguments), "--json", "--lang", "en"])
    return json.loads(result.stdout)


@pytest.fixture
def book(good: Book, monkeypatch: pytest.MonkeyPatch) -> Book:
    monkeypatch.setenv(BOOK_VARIABLE, str(good.root))
    return good


def test_these_names_and_no_others() -> None:
    assert sorted(fixbook.__all__) == ["Book", "audit", "check", "diagnose", "install", "run"]
    for name in fixbook.__all__:
        public = getattr(fixbook, name)
        assert public.__doc__
        assert public.__module__.startswith("fixbook.api.")
    with pytest.raises(AttributeError, match="no attribute 'verify'"):
        _ = fixbook.verify


def test_importing_the_package_loads_nothing() -> None:
    source = "import fixbook, sys; print([n for n in sys.modules if n.startswith('fixbook.')])"
    said = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"


def test_a_diagnosis_is_what_the_command_prints(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text(LOG)
    told = fixbook.diagnose(path)
    assert told == printed("diagnose", path)
    assert told["answer"]["slug"] == "widget-overflow"
    assert told["schema_version"] == 1
    by_text = fixbook.diagnose(text=LOG)
    assert by_text["answer"]["text"] == told["answer"]["text"]
    with pytest.raises(ValueError, match="give files, or a text"):
        fixbook.diagnose()
    with pytest.raises(ValueError, match="give files, or a text"):
        fixbook.diagnose(path, text=LOG)
    del book


def test_pages_and_heads(book: Book) -> None:
    opened = fixbook.Book(book.root)
    (head,) = opened.entries("zh")
    assert head["slug"] == "widget-overflow"
    assert head["projects"] == ["widgets"]
    assert opened.messages() == []
    assert opened.page("widget-overflow") == printed("show", "widget-overflow")
    with pytest.raises(BookError, match="did you mean widget-overflow"):
        opened.page("widget-overflw")


def test_a_check_and_an_audit(tmp_path: Path) -> None:
    config, pins = tmp_path / "ds_config.json", tmp_path / "requirements.txt"
    config.write_text('{"zero_optimization": {"stage": 3}, "train_batch_sizee": 8}')
    pins.write_text("axolotl==0.16.1\n")
    assert fixbook.check(config) == printed("check", config)
    assert fixbook.audit(pins) == printed("audit", pins)
    assert fixbook.check(tmp_path / "absent")["unreadable"]
    with pytest.raises(BookError, match="cannot be read"):
        fixbook.audit(tmp_path / "absent")


def test_a_run(book: Book) -> None:
    ran = fixbook.run("widget-overflow", ["mended"])
    assert {step["step"] for step in ran["steps"]} == {"it-breaks", "mended"}
    assert ran["as_on_the_page"] is True
    del book
