"""While they run, commands speak Chinese to a Chinese reader; what is recorded stays English."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.cli import cli, run_command
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.text import i18n
from tests.conftest import RECIPE, both
from tests.test_i18n import ENGLISH, HAN

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
    Say = Callable[..., str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command in Chinese; return what it printed."""

    def run(book: Book, *arguments: str, code: int) -> str:
        monkeypatch.setenv("FIXBOOK_BOOK", str(book.root))
        assert run_command(cli, [*arguments, "--lang", "zh"]) == code
        out, err = capsys.readouterr()
        return out + err

    return run


def test_a_run_that_holds_is_recorded_in_english(make_book: MakeBook, said: Say) -> None:
    book = make_book()
    text = said(book, "verify", "--record", code=0)
    assert "通过 5 个，失败 0 个，跳过 0 个" in text
    assert ENGLISH.search(text) is None, text
    record = json.loads((book.get("widget-overflow").folder / "evidence/cpu.json").read_text())
    reasons = {step["reason"] for step in record["steps"].values()}
    assert "ran clean and met the claims" in reasons
    assert not HAN.search("".join(reasons))


def test_a_step_that_fails_is_said_in_chinese(make_book: MakeBook, said: Say) -> None:
    book = make_book(recipe=RECIPE.replace("size=3", "size=30"))
    text = said(book, "verify", "--step", "mended", "--record", "widget-overflow", code=1)
    assert "widget-overflow / mended：size 是 30，应为 <= 3" in text
    assert "mended 没有记录：该步骤失败了" in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("run", "widget-overflow", "--step", "nope"), "没有步骤 'nope'"),
        (("run", "widget-overflow", "--versions", "torch"), "应写成 NAME==VERSION 的形式"),
        (("verify", "--step", "mended", "--machine", "A B"), "应写成 'h100' 或"),
        (("diagnose", "/nowhere/such.log"), "不存在"),
        (("show", "widget-overflow"), "还没有证据"),
    ],
)
def test_wrong_use(
    make_book: MakeBook, said: Say, arguments: tuple[str, ...], expected: str
) -> None:
    text = said(make_book(), *arguments, code=2)
    assert expected in text
    assert ENGLISH.search(text) is None, text


@pytest.mark.usefixtures("said")
def test_gates_speak_chinese(make_book: MakeBook, entry: dict[str, Any]) -> None:
    """One book with a mistake of nearly every kind: every problem and its mend are Chinese."""
    i18n.choose("zh")
    entry["detect"]["text"] = {
        "zh": "用了 {{mended.size}} 字节，3 GB。多一句。",
        "en": "`x` 中 4 s.",
    }
    entry["claims"][0]["steps"] = ["nope"]
    entry["boundary"] = [{"package": "torch", "last_good": "1.0", "first_bad": "2.0"}]
    recipe = RECIPE.replace('control="it-breaks"', 'control="nope"') + "\nX = 'logs/a'  # TODO\n"
    book = make_book(entry=entry, recipe=recipe)
    book.root.joinpath("slugs.txt").write_text("z\na\n", "utf-8")
    book.root.joinpath("exempt-from-proof.txt").write_text("z\na\n", "utf-8")
    lost = [{"kind": "line", "text": "something else"}]
    (book.get("widget-overflow").folder / "queries.yaml").write_text(json.dumps(lost), "utf-8")
    reading = Reading(book)
    problems = {name: list(gate(reading)) for name, gate in GATES.items()}
    speaking = {name for name, found in problems.items() if found}
    wanted = {"proof", "controls", "own-words", "bounds", "links", "parity", "figures", "measures"}
    assert wanted | {"freshness", "queries", "slugs", "unfinished"} <= speaking, speaking
    for found in problems.values():
        for problem in found:
            assert HAN.search(problem.what), problem
            assert HAN.search(problem.mend), problem
            assert ENGLISH.search(problem.what + problem.mend) is None, problem


@pytest.mark.usefixtures("said")
def test_gates_on_records_speak_chinese(
    good: Book, make_book: MakeBook, entry: dict[str, Any]
) -> None:
    i18n.choose("zh")
    path = good.root / "recipes/widget-overflow/evidence/cpu.json"
    data = json.loads(path.read_text("utf-8"))
    data["steps"]["shaken"]["log"] = ["typed"]
    data["entry"] = "other"
    path.write_text(json.dumps(data), "utf-8")
    runs = path.with_name("cpu.runs.json")
    times = json.loads(runs.read_text("utf-8"))
    times["machine"]["name"] = "h100"
    runs.write_text(json.dumps(times), "utf-8")
    entry["title"] = both("Widget overflow " * 6)
    entry["steps"]["mended"]["expect"]["size"] = "<= 2"
    entry["non_fixes"][0]["seen_in"] = []
    entry["claims"][0]["steps"] = ["mended"]
    reading = Reading(make_book(entry))
    for name in ("records", "titles", "links", "executed"):
        found = list(GATES[name](reading))
        assert found, name
        for problem in found:
            assert HAN.search(problem.what), problem
            assert HAN.search(problem.mend), problem
