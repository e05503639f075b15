"""A reader's record is judged like a run of ours, kept apart, and never counted as evidence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from fixbook.cli import cli, run_command
from fixbook.index.build import index_of
from fixbook.problem import BookError
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record import load_evidence, load_readers, objections, read_record
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

SLUG = "widget-overflow"


@pytest.fixture
def sent(good: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What ``fixbook run --record-to`` wrote on a reader's machine."""
    monkeypatch.setenv("FIXBOOK_BOOK", str(good.root))
    path = tmp_path / "mine.json"
    done = CliRunner().invoke(cli, ["run", SLUG, "--record-to", str(path), "--lang", "en"])
    assert "read it before you send it" in done.output
    return path


def wrong(book: Book, path: Path) -> dict[str, str]:
    """Return what speaks against the steps of a record."""
    item = book.get(SLUG)
    found = objections(item, read_outline(item.recipe), read_record(path), index_of(book))
    return dict(found)


def changed(path: Path, **fields: Any) -> None:
    """Edit the record of the failing step, as a person would."""
    data = json.loads(path.read_text("utf-8"))
    data["steps"]["it-breaks"] |= fields
    path.write_text(json.dumps(data), "utf-8")


def test_a_record_holds_and_is_kept_apart(
    good: Book, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies beside the entry, and the evidence of the book stays what it was."""
    ours = load_evidence(good.get(SLUG))
    assert wrong(good, sent) == {}
    monkeypatch.setattr("fixbook.cli.adopt.checkout", lambda: good.root)
    assert run_command(cli, ["adopt", str(sent)], prog_name="fixbook") == 0
    (mine,) = load_readers(good.get(SLUG))
    assert mine.steps["it-breaks"].verdict == "passed"
    assert load_evidence(good.get(SLUG)) == ours


def test_what_was_edited_is_refused(
    good: Book, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A figure mended by hand breaks the seal, and nothing is taken over."""
    changed(sent, measures={"size": 99})
    assert "edited" in wrong(good, sent)["it-breaks"]
    monkeypatch.setattr("fixbook.cli.adopt.checkout", lambda: good.root)
    assert run_command(cli, ["adopt", str(sent)], prog_name="fixbook") == 1
    assert load_readers(good.get(SLUG)) == []


def test_a_record_of_another_book_is_refused(
    make_book: Callable[..., Book], good: Book, sent: Path
) -> None:
    """What the step runs has changed since the reader ran it."""
    assert good
    newer = make_book(recipe=RECIPE.replace("def it_breaks():", "def it_breaks():\n    1 + 1\n"))
    assert "has changed" in wrong(newer, sent)["it-breaks"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"entry": 7}', "\x00"])
def test_what_is_no_record_is_said(tmp_path: Path, text: str) -> None:
    """In one sentence, with how to get one."""
    path = tmp_path / "mine.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BookError, match="is no record of a run"):
        read_record(path)
