"""A wrong entry is refused with file, line, field, what was found and how to mend it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import Expectation
from fixbook.cli.schema import entry_schema
from fixbook.problem import BookError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def refusal(make_book: MakeBook, entry: dict[str, Any]) -> str:
    with pytest.raises(BookError) as caught:
        make_book(entry)
    return str(caught.value)


def test_complete_entry_loads(make_book: MakeBook) -> None:
    book = make_book()
    assert book.get("widget-overflow").entry.title.of("zh").endswith("（中文）")


def test_missing_language(make_book: MakeBook, entry: dict[str, Any]) -> None:
    del entry["cause"]["zh"]
    text = refusal(make_book, entry)
    assert "cause.zh: missing" in text
    assert "add the zh text" in text


def test_unknown_key_names_the_nearest(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["fixes"][0]["titel"] = entry["fixes"][0].pop("title")
    text = refusal(make_book, entry)
    assert "fixes.0.titel: unknown key" in text
    assert "did you mean 'title'?" in text
    assert "fixes.0.title: missing" in text, "all mistakes are named at once"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("signatures", 0, "pattern"), "(unclosed", "is not a regular expression"),
        (("boundary", 0, "first_fixed"), ">=2", "must be a release"),
        (("steps", "mended", "expect", "size"), "about 3", "is not a condition"),
        (("steps", "mended", "expect", "size"), "== bf16", "is not a JSON literal"),
        (("fixes", 0, "id"), "Mend It", "must be lower-case words"),
        (("added",), "yesterday", "write a date"),
        (("claims", 0, "level"), "sure", "'proven', 'upstream', 'inferred' or 'unknown'"),
        (("references", 0, "url"), "http://example.org", "https"),
        (("title", "en"), "   ", "title.en"),
    ],
)
def test_wrong_values(
    make_book: MakeBook, entry: dict[str, Any], path: tuple[Any, ...], value: str, message: str
) -> None:
    target = entry
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    text = refusal(make_book, entry)
    assert message in text
    line = int(text.split("entry.yaml:")[1].split(":")[0])
    assert line > 1, "the line of the value is given"


@pytest.mark.parametrize(
    "text", ["a\n```\nx", "```\nx\n```python\n", "~~~\n```", "1. ```yaml\n   a: 1", "````\n```"]
)
def test_a_block_of_code_must_end(make_book: MakeBook, entry: dict[str, Any], text: str) -> None:
    entry["cause"]["en"] = text
    seen = refusal(make_book, entry)
    assert re.search(r"entry\.yaml:\d+: cause\.en: found ", seen)
    assert re.search(r"end the block of code that line [12] of the text opens", seen)


@pytest.mark.parametrize(
    "text", ["```python\nx\n```\nb", "- ```\n  x\n  ```", "a ```x``` b", "~~~\n```\n~~~", "```x```"]
)
def test_a_block_of_code_that_ends(make_book: MakeBook, entry: dict[str, Any], text: str) -> None:
    entry["cause"]["en"] = text
    assert make_book(entry).entries


def test_captures_must_be_groups(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["signatures"][0]["captures"] = {"size": {"zh": "大小", "en": "size"}}
    assert "are not named groups of the pattern" in refusal(make_book, entry)


def test_broken_neighbour_is_kept_apart(make_book: MakeBook, entry: dict[str, Any]) -> None:
    make_book()
    del entry["title"]
    book = make_book(entry, slug="broken", strict=False)
    assert list(book.entries) == ["widget-overflow"]
    assert len(book.problems) == 1
    with pytest.raises(BookError, match="title: missing"):
        book.get("broken")


def test_unknown_slug_names_the_nearest(make_book: MakeBook) -> None:
    with pytest.raises(BookError, match="did you mean widget-overflow"):
        make_book().get("widget-overflw")
    with pytest.raises(BookError, match="no entry has this slug"):
        make_book().get("../../etc")


def test_schema_requires_both_languages() -> None:
    text = entry_schema()["$defs"]["Text"]
    assert text["required"] == ["zh", "en"]
    assert text["additionalProperties"] is False


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ("== 4", 4, True),
        ("== 4", 4.0, True),
        ("== true", True, True),
        ("== 1", True, False),
        ("== true", 1, False),
        ("< 0.1", 0.05, True),
        ("< 0.1", "0.05", False),
        ('== "bf16"', "bf16", True),
        ("!= 3", 4, True),
        ("> 0", None, False),
        ("== [1, 2]", [1, 2], True),
    ],
)
def test_conditions(condition: str, value: object, holds: bool) -> None:  # noqa: FBT001
    assert Expectation.parse(condition).holds(value) is holds


def test_folder_without_entry(make_book: MakeBook, tmp_path: Path) -> None:
    make_book()
    (tmp_path / "recipes" / "empty").mkdir()
    with pytest.raises(BookError, match="fixbook new empty"):
        make_book()
