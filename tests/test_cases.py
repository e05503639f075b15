"""Cases decide which fix is the one; the reader's values go into code as data or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from pydantic import ValidationError

from fixbook.book import Case, Entry, with_places
from fixbook.index.build import rows_from
from fixbook.log.answer import answer_of
from fixbook.log.answer_text import as_text
from fixbook.log.diagnose import diagnose
from fixbook.log.signatures import index_from
from fixbook.log.yours import filled
from tests.conftest import both
from tests.gating import found, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def case(**conditions: Any) -> dict[str, Any]:
    return {"says": both("widget {{yours:number}}"), **conditions}


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ({"over": 5}, ""),
        ({"over": 7}, "no log of the entry meets this case"),
        ({"over": 1, "under": 99}, "every log of the entry meets this 'when'"),
    ],
)
def test_a_case_tells_logs_apart(
    make_book: MakeBook, entry: dict[str, Any], test: dict[str, Any], problem: str
) -> None:
    entry["yours"] = {"number": both("number")}
    entry["fixes"][0]["when"] = [case(captures={"number": test})]
    text = found(recorded(make_book(entry)), "cases")
    assert problem in text if problem else text == ""


def test_what_is_filled_stands_in_the_code(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["yours"] = {"number": both("number")}
    entry["snippets"]["detect"]["fills"] = {"1": "number"}
    assert found(make_book(entry), "cases") == ""
    entry["snippets"]["detect"]["fills"] = {"rint": "number"}
    assert "'rint' does not stand in the code" in found(make_book(entry), "cases")


@pytest.mark.parametrize(
    ("text", "begins"),
    [("It is so.", True), ("Then do it.", True), ("Italics help.", False), ("Set it.", False)],
)
def test_a_fix_instructs(
    make_book: MakeBook,
    entry: dict[str, Any],
    text: str,
    begins: bool,  # noqa: FBT001
) -> None:
    entry["fixes"][0]["text"] = {"zh": "设成它。", "en": text}
    assert ("is told nothing" in found(make_book(entry), "instructs")) is begins


@pytest.mark.parametrize(
    "wrong",
    [
        {"unless": ["never"]},
        {"captures": {"number": {}}},
        {"versions": {"torch": "==2.0rc1"}},
        {"versions": {"torch": "!=2.0.*"}},
        {"captures": {"number": {"is": "7", "of": "box"}}},
    ],
)
def test_a_case_can_be_decided(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Case.model_validate(case(**wrong))


@pytest.mark.parametrize(
    "change",
    [
        {"fixes": [{"when": [case(captures={"nobody": {"is": "x"}})]}]},
        {"fixes": [{"when": [case(captures={"number": {"over": 1, "of": "nobody"}})]}]},
        {"snippets": {"detect": {"code": "print(1)\n", "fills": {"1": "nobody"}}}},
    ],
)
def test_names_of_the_reader_exist(entry: dict[str, Any], change: dict[str, Any]) -> None:
    for key, value in change.items():
        entry[key] = [{**entry[key][0], **value[0]}] if isinstance(value, list) else value
    with pytest.raises(ValidationError, match="nobody"):
        Entry.model_validate(entry)


def answer(book: Book, log: str) -> dict[str, Any]:
    rows = rows_from(book)
    return answer_of(diagnose(log, index_from(rows)), rows, [], "en")


def test_the_log_orders_fixes_and_fills_them(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["yours"] = {"number": both("your number")}
    entry["snippets"]["mend"] = {"code": "grow(7)\n", "fills": {"7": "number"}}
    large = {**entry["fixes"][0], "id": "grow-it", "title": both("Grow it"), "snippet": "mend"}
    large["when"] = [case(captures={"number": {"over": 100}})]
    entry["fixes"].append(large)
    book = make_book(entry)
    small, big = answer(book, "widget 12 overflowed"), answer(book, "widget 120 overflowed")
    assert [fix["id"] for fix in small["answer"]["fixes"]] == ["mend-it", "grow-it"]
    assert [fix["id"] for fix in big["answer"]["fixes"]] == ["grow-it", "mend-it"]
    assert big["answer"]["fixes"][0]["code"]["text"] == "grow(120)"
    assert "If your log shows: widget ‹your number›\n    → Grow it" in as_text(small, "en")
    text = as_text(big, "en")
    assert text.index("Grow it") < text.index("Your log shows: widget 120") < text.index("Mend it")
    assert text.index("Trade-off: none") < text.index("How to check:") < text.index("Other cases:")


HOSTILE = (
    'x"; import os; "',
    "$(reboot)",
    "-rf",
    "a b",
    "x: y",
    "`id`",
    "a\nb",
    "x#y",
    "a'b",
    "<b>",
    "~",
    "~root",
    "/",
    "..",
)


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_that_is_code_is_left_out(value: str) -> None:
    code = with_places('run("metric")', {"metric": "name"})
    assert filled(code, {"name": value}, {"name": "yours"}) == 'run("‹yours›")'


PLAIN = ("eval_loss", "Qwen/Qwen2-7B", "10.0.0.1:29500", "torch.float16")
PATHS = ("/data/models/x", "~/x", "./out/checkpoint-3", "../x.pt")


@pytest.mark.parametrize("value", PLAIN + PATHS)
def test_plain_values_are_filled_in(value: str) -> None:
    place = with_places("metric: name\n", {"name": "name"})
    assert yaml.safe_load(filled(place, {"name": value}, {})) == {"metric": value}
    assert json.loads(filled(f'["{value}"]', {}, {})) == [value]


def test_a_number_stays_a_number() -> None:
    code = with_places("port = 29500", {"29500": "port"})
    assert filled(code, {"port": "os.getpid"}, {"port": "your port"}) == "port = ‹your port›"
    assert filled(code, {"port": "8000"}, {}) == "port = 8000"


def test_a_value_is_compared_with_another(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["signatures"][0]["pattern"] = r"widget (?P<number>\d+)(?: of (?P<box>\w+))? overflowed"
    entry["fixes"].append({**entry["fixes"][0], "id": "grow-it", "title": both("Grow it")})
    entry["fixes"][1]["when"] = [case(captures={"number": {"under": 0.5, "of": "box"}})]
    book = make_book(entry)
    standings = {
        text: {fix["id"]: fix["standing"] for fix in answer(book, text)["answer"]["fixes"]}[
            "grow-it"
        ]
        for text in (
            "widget 4 of 10 overflowed",
            "widget 6 of 10 overflowed",
            "widget 4 of ten overflowed",
            "widget 4 overflowed",
        )
    }
    assert list(standings.values()) == ["met", "against", "open", "open"]
