"""What a text says agrees with the record, step by step, and in both languages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import load_book
from tests.conftest import RECIPE, both
from tests.gating import found, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def _on_releases(book: Book) -> Book:
    """Say that the failing step ran on widgets 1.0, and the fix on 2.0."""
    path = book.root / "recipes/widget-overflow/evidence/cpu.json"
    evidence = json.loads(path.read_text("utf-8"))
    evidence["steps"]["it-breaks"]["overlay"] = ["widgets==1.0"]
    evidence["steps"]["mended"]["overlay"] = ["widgets==2.0"]
    path.write_text(json.dumps(evidence), "utf-8")
    return load_book(book.root)


@pytest.mark.parametrize(
    ("zh", "en", "problems"),
    [
        ("1.0 报错，2.0 不报错。", "1.0 raises, and 2.0 does not.", []),
        ("1.0 不报错。", "1.0 raises.", ["zh: 1.0 is said to be free"]),
        ("1.0 报错。", "1.0 does not raise.", ["en: 1.0 is said to be free"]),
        ("1.0 报错，2.0 也拒绝。", "1.0 raises; 2.0 refuses too.", ["zh: 2.0", "en: 2.0"]),
        ("1.0 放行，3.0 拒绝。", "1.0 trains, 3.0 fails.", ["zh: 1.0", "en: 1.0"]),
        ("1.0 和 2.0 差一个字段。", "1.0 and 2.0 differ in a field.", []),
        ("2.0 能训练，1.0 报错。", "2.0 trains, 1.0 raises.", []),
        ("2.0 这张旧卡，1.0 报错。", "2.0 on one old card, 1.0 raises.", []),
        (
            "2.0、1.0 在这台旧机器上报错。",
            "2.0 and 1.0 on this small old machine raise.",
            ["zh: 2.0", "en: 2.0"],
        ),
    ],
)
def test_releases_and_verdicts(
    make_book: MakeBook, entry: dict[str, Any], zh: str, en: str, problems: list[str]
) -> None:
    entry["claims"][0] |= {"steps": ["it-breaks", "mended"], "text": {"zh": zh, "en": en}}
    text = found(_on_releases(recorded(make_book(entry))), "releases")
    assert all(problem in text for problem in problems)
    assert len(text.splitlines()) == 2 * len(problems)


def test_a_claim_that_was_only_read_stops_no_other(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    read = {"id": "r", "level": "upstream", "text": both("1.0 拒绝。"), "reference": "report"}
    text = {"zh": "1.0 不报错。", "en": "1.0 does not raise."}
    entry["claims"][0] |= {"steps": ["it-breaks", "mended"], "text": text}
    entry["claims"].insert(0, read)
    said = found(_on_releases(recorded(make_book(entry))), "releases")
    assert "claims.1.text.zh: 1.0" in said
    assert "claims.1.text.en: 1.0" in said


def test_a_figure_comes_from_a_step_of_its_own(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["fixes"][0]["text"] = both("It has {{mended.size}} instead of {{it-breaks.size}}.")
    assert found(make_book(entry), "placeholders") == ""
    entry["fixes"][0]["text"] = both("It has {{shaken.size}}.")
    assert "fixes.0.text: 'shaken', whose measure it fills in" in found(
        make_book(entry), "placeholders"
    )
    entry["fixes"][0]["beside"] = ["shaken"]
    assert found(make_book(entry), "placeholders") == ""
    entry["fixes"][0]["text"] = both("It fits.")
    assert "fixes.0: compares itself with no measure of 'shaken'" in found(
        make_book(entry), "placeholders"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Its size is 3, not 9.", ""),
        ("Its size is 17.", "'17' is in nothing that its steps"),
        ("It lies on `cuda:1`.", "'cuda' occurs nowhere"),
        ("`fill` is called.", ""),
        ("`overfill` is called.", "'overfill' occurs nowhere"),
        ("Before 17 it was so (read in the source).", ""),
    ],
)
def test_literals_of_a_claim(
    make_book: MakeBook, entry: dict[str, Any], text: str, problem: str
) -> None:
    entry["claims"][0] |= {"steps": ["mended"], "text": both(text)}
    book = recorded(make_book(entry))
    assert problem in (said := found(book, "literals"))
    assert bool(said) is bool(problem)


def test_a_fix_names_packages_that_were_used(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["fixes"][0]["text"] = both("Run `pip install gadgets`.")
    assert "'gadgets' occurs nowhere" in found(recorded(make_book(entry)), "literals")


@pytest.mark.parametrize(
    ("zh", "en", "problem"),
    [
        ("它不会报错。", "It does not raise.", ""),
        ("它会报错。", "It does not raise.", "'does not' is denied in one language only"),
        ("它不会报错。", "It raises.", "'不会' is denied in one language only"),
        ("它拒绝。", "It does not take it.", ""),
        (
            "不要这样改：那一类会漏掉。",
            "Do this: that class would be left out.",
            "'不要这' is denied",
        ),
        ("不要这样改。", "Do not do this.", ""),
        ("哪一个都不要紧。", "Any of them will do.", ""),
        ("建的时候传 `a`。", "Make it without `a`.", "'without' is denied in one language only"),
        ("去掉 `a`。", "Make it without `a`.", ""),
        ("建的时候不传 `a`。", "Make it with `a`.", "'不传' is denied in one language only"),
        ("新建的里面有它。", "A new one has none.", "'has none' is denied in one language only"),
        ("新建的里面没有它。", "A new one has it.", "'没有' is denied in one language only"),
        ("这时没有区别。", "It is all the same.", ""),
    ],
)
def test_denials(
    make_book: MakeBook, entry: dict[str, Any], zh: str, en: str, problem: str
) -> None:
    entry["symptom"] = {"zh": zh, "en": en}
    text = found(make_book(entry), "negation")
    assert problem in text if problem else text == ""


@pytest.mark.parametrize(
    ("zh", "en", "problem"),
    [
        ("建之前载入。", "Load it after it is made.", "'after' in English is '之前' in Chinese"),
        ("建之后载入。", "Load it before it is made.", "'before' in English is '之后'"),
        ("建之后载入。", "Load it after it is made.", ""),
        ("之前没有载入，之后也没有。", "It was loaded neither before nor after.", ""),
        ("比步数少一。", "It is one more than the steps.", "'more than' in English is '少'"),
        ("大于 `a`。", "It is below `a`.", "'below' in English is '大于'"),
        ("升级之后少了。", "It is less than before.", ""),
    ],
)
def test_opposites(
    make_book: MakeBook, entry: dict[str, Any], zh: str, en: str, problem: str
) -> None:
    entry["symptom"] = {"zh": zh, "en": en}
    text = found(make_book(entry), "opposites")
    assert problem in text if problem else text == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The number is counted by hand.", True),
        ("pip install widgets", False),
        ("transformers 5", False),
    ],
)
def test_a_short_text_left_in_english(
    make_book: MakeBook, entry: dict[str, Any], text: str, *, said: bool
) -> None:
    entry["fixes"][0]["trade_off"] = {"zh": text, "en": text}
    assert ("the Chinese text is the English one" in found(make_book(entry), "parity")) is said


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("四次里有三次是对的。", "It is right."),
        ("它是对的。", "It was right in three of four runs."),
        ("4 个里 3 个对。", "3 of 4 prompts are right."),
        ("答对 3 个。", "The answer is right."),
        ("只剩十六分之一。", "A part is left."),
        ("一小部分。", "A sixteenth is left."),
    ],
)
def test_counts_are_filled_in(make_book: MakeBook, entry: dict[str, Any], zh: str, en: str) -> None:
    entry["symptom"] = {"zh": zh, "en": en}
    assert "is typed into the text" in found(make_book(entry), "figures")


def test_a_count_of_what_was_set_up_may_stand(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["symptom"] = both("{{mended.size}} of 9 texts; it is one of two ways.")
    assert found(make_book(entry), "figures") == ""


NAMES = """
@detect(found=True)
def asked_1():
    return {"found": True, "names": [{"name": n, "does": "takes"} for n in OLD]}

@detect(found=False)
def asked_2():
    print("use paint_box for colour_box")
    names = [{"name": n, "does": "refuses"} for n in OLD]
    return {"found": False, "names": names + [{"name": n, "does": "takes"} for n in NEW]}

OLD = ["box_width", "box_height", "colour_box"]
NEW = ["case_width", "case_height"]
"""


@pytest.mark.parametrize(
    ("now", "problem"),
    [
        ({"box_width": "case_width", "box_height": "case_height", "colour_box": ""}, ""),
        ({"box_width": "case_width", "colour_box": "paint_box"}, ""),
        ({"box_width": "case_breadth"}, "'case_breadth', given for 'box_width', is nothing"),
        ({"box_width": "case_height", "box_height": "case_width"}, "look exchanged"),
        ({"case_width": ""}, "the newest release takes it"),
    ],
)
def test_successors_were_asked_for(
    make_book: MakeBook, entry: dict[str, Any], now: dict[str, str], problem: str
) -> None:
    entry["names"] = {"package": "widgets", "steps": ["asked-1", "asked-2"], "now": now}
    entry["steps"] |= {"asked-1": {"title": both("One")}, "asked-2": {"title": both("Two")}}
    text = found(recorded(make_book(entry, RECIPE + NAMES)), "successors")
    assert problem in text if problem else text == ""
