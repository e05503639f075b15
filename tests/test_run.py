"""``fixbook run`` tells a reader what an entry shows on the versions that are there."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.cli import cli, run_command
from fixbook.environment import installed_version
from tests.conftest import ENTRY, RECIPE, both
from tests.gating import recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
    Run = Callable[..., str]

SLUG = "widget-overflow"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run ``fixbook run`` on a book; return what it printed."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    def start(book: Book, *arguments: str, code: int, lang: str = "en") -> str:
        monkeypatch.setenv("FIXBOOK_BOOK", str(book.root))
        capsys.readouterr()
        found = run_command(cli, ["run", SLUG, *arguments, "--lang", lang])
        out, err = capsys.readouterr()
        assert found == code, out + err
        return out + err

    return start


def changed(name: str, old: str, new: str) -> str:
    """Return the recipe with something changed from one step on."""
    head, mark, tail = RECIPE.partition(f"def {name.replace('-', '_')}(")
    assert old in tail
    return head + mark + tail.replace(old, new, 1)


def test_a_demonstration_in_the_order_of_an_article(make_book: MakeBook, run: Run) -> None:
    text = run(make_book(), code=0)
    parts = [
        "Widget overflow",
        "5 of 5 steps run on your versions",
        "nothing is installed or sent.",
        "The failure",
        "✓ happens here   breaks",
        "widget 7 overflowed",
        "How to notice it",
        "✓ finds it       measures (broken-widget)",
        "✓ silent         measures (mended-widget)",
        "What helps",
        "Mend it",
        "✓ helps here     mends",
        "What does not",
        "✗ no help here   Shake it",
        "In your environment: the failure happens (1 of 1), the fixes help (1 of 1), as on the",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places), text


def test_the_same_in_chinese(make_book: MakeBook, run: Run) -> None:
    text = run(make_book(), code=0, lang="zh")
    assert "这里会发生" in text
    assert "在你的环境里：故障会发生（1/1），修复方案有效（1/1），都与页面一致。" in text


@pytest.mark.parametrize(
    ("step", "old", "new", "shows", "reason", "code"),
    [
        ("it-breaks", "    fill()", "    pass", "does not happen here", "exit code 0", 1),
        ("it-breaks", "fill()", "int('x')", "stopped by another error", "ValueError", 7),
        ("broken-widget", "look()", "look(mended=True)", "misses it here", "found is False", 1),
        ("mended-widget", "look(mended=True)", "look()", "false alarm here", "found is True", 1),
        ("mended", "fill(mended=True)", "int('x')", "stopped by another error", "ValueError", 7),
        ("mended", "mended=True", "", "does not help here", "widget 7 overflowed", 1),
        ("mended", "size=3", "size=8", "does not help here", "size is 8, expected <= 3", 1),
        ("mended", "size=3", "size=float('nan')", "does not help here", "size is 'nan'", 1),
        ("shaken", "shaken=True", "shaken=True, mended=True", "advice helps here", "code 0", 1),
        ("shaken", "fill(shaken=True)", "fill()", "shows nothing here", "shaken is False", 7),
    ],
)
def test_what_a_step_shows(  # noqa: PLR0913, PLR0917
    make_book: MakeBook, run: Run, step: str, old: str, new: str, shows: str, reason: str, code: int
) -> None:
    book = make_book(recipe=changed(step, old, new))
    data = json.loads(run(book, "--json", code=code))
    seen = {one["step"]: one for one in data["steps"]}
    assert seen[step]["result"] == shows, seen[step]
    assert reason in seen[step]["reason"]
    assert not seen[step]["as_on_the_page"]
    assert data["exit_code"] == code


@pytest.mark.parametrize(
    ("documented", "shows", "code"),
    [(True, "no help here", 0), (False, "stopped by another error", 7)],
)
def test_advice_that_ends_for_want_of_a_module(
    make_book: MakeBook, run: Run, *, documented: bool, shows: str, code: int
) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["steps"]["shaken"] |= {"fails": {"log": "No module named 'absent'"}} if documented else {}
    raised = "measure(shaken=True)\n    import absent"
    book = make_book(entry, recipe=changed("shaken", "return fill(shaken=True)", raised))
    data = json.loads(run(book, "--json", code=code))
    seen = {one["step"]: one["result"] for one in data["steps"]}
    assert seen["shaken"] == shows


def test_without_its_failure_a_fix_shows_nothing(make_book: MakeBook, run: Run) -> None:
    book = make_book(recipe=changed("it-breaks", "    fill()", "    pass"))
    arguments = ("--json", "--step", "mended", "--step", "shaken")
    data = json.loads(run(book, *arguments, code=6))
    seen = {one["step"]: one["result"] for one in data["steps"]}
    assert seen == {
        "it-breaks": "does not happen here",
        "mended": "shows nothing here",
        "shaken": "shows nothing here",
    }


def test_a_failure_that_measures_otherwise_still_happens(make_book: MakeBook, run: Run) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["steps"]["it-breaks"]["expect"] = {"size": "== 10"}
    book = make_book(entry)
    text = run(book, code=1)
    assert "! happens here" in text
    assert "size is 9; the page needs 10" in text
    assert "✓ helps here" in text, "its control fails here"


@pytest.mark.parametrize(
    ("step", "old", "new", "wrong"),
    [("broken-widget", "look()", "look(mended=True)", 2), ("mended-widget", "mended=True", "", 1)],
)
def test_a_check_that_is_wrong_is_told_in_the_last_line(
    make_book: MakeBook, run: Run, step: str, old: str, new: str, wrong: int
) -> None:
    text = " ".join(run(make_book(recipe=changed(step, old, new)), code=1).split())
    assert f"the fixes help (1 of 1), otherwise not as on the page: {wrong}." in text


def test_the_last_line_of_a_check_alone(make_book: MakeBook, run: Run) -> None:
    book = make_book(recipe=changed("mended-widget", "mended=True", ""))
    text = run(book, "--step", "mended-widget", code=1)
    assert "otherwise not as on the page: 1." in " ".join(text.split())


def test_the_recognised_line_is_shown_not_the_last(make_book: MakeBook, run: Run) -> None:
    recipe = changed("it-breaks", "    fill()", "    print('widget 4 overflowed'); exit('bye')")
    text = run(make_book(recipe=recipe), "--step", "it-breaks", code=0)
    assert "widget 4 overflowed" in text
    assert "bye" not in text
    assert "bye" in run(make_book(recipe=recipe), "--step", "it-breaks", "--log", code=0)


PINNED = RECIPE.replace('@fix("mend-it", ', '@fix("mend-it", versions=["click==0.1"], ')


def test_other_releases_are_left_alone(make_book: MakeBook, run: Run) -> None:
    text = run(make_book(recipe=PINNED), code=0)
    assert "4 of 5 steps run on your versions" in text
    assert "1 step needs other releases than yours: click 0.1" in text
    assert "1 of unknown size" in text
    assert "not run: 1" in text
    assert "helps here" not in text


def test_all_names_what_it_installs_and_asks(
    make_book: MakeBook, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    book = make_book(recipe=PINNED)
    (book.root / "sizes.json").write_text('{"click==0.1": 3145728}')
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    text = run(book, "--all", code=1)
    assert "1 releases, 3 MiB to download" in text
    assert "click==0.1" in text
    assert "add --yes" in text
    assert not (tmp_path / "cache/fixbook/overlays").exists()


def test_an_absent_name_costs_the_steps_that_use_it(make_book: MakeBook, run: Run) -> None:
    recipe = "from click import command, no_such_name\nOTHER = [no_such_name.x]\n" + RECIPE
    recipe = recipe.replace(
        "def mended():\n    return fill", "def mended():\n    OTHER[0]\n    return fill"
    )
    book = make_book(recipe=recipe)
    seen = {one["step"]: one for one in json.loads(run(book, "--json", code=7))["steps"]}
    assert seen["mended"]["result"] == "stopped by another error"
    assert "no no_such_name in click" in seen["mended"]["reason"]
    others = {one["result"] for name, one in seen.items() if name != "mended"}
    assert others == {"happens here", "finds it", "silent", "no help here"}


def test_stand_ins_are_named(make_book: MakeBook, run: Run) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["steps"]["it-breaks"]["simulated"] = both("The widget is made of paper.")
    text = run(make_book(entry), code=0)
    assert "breaks ◇1" in text
    assert "◇1 The widget is made of paper." in text


def test_show_prints_code_and_difference(make_book: MakeBook, run: Run) -> None:
    text = run(make_book(), "--show", "mended", code=0)
    assert "def mended():\n    return fill(mended=True)" in text
    assert "What it changes, beside it-breaks:\n  mended=True" in text


def test_nothing_that_can_run_promises_no_time(make_book: MakeBook, run: Run) -> None:
    recipe = RECIPE.replace("()\ndef it_breaks", "(needs=['no-such-package'])\ndef it_breaks")
    text = run(make_book(recipe=recipe), "--step", "it-breaks", code=3)
    assert "Its only step cannot run here; nothing is installed or sent." in text
    assert "in about" not in text
    assert "needs no-such-package" in text


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("KeyError('gone')", "KeyError: 'gone'"),
        (
            "RuntimeError('stopped: widget 7 overflowed')",
            "RuntimeError: stopped: widget 7 overflowed",
        ),
    ],
)
def test_a_line_of_metrics_is_not_what_ended_a_step(
    make_book: MakeBook, run: Run, error: str, shown: str
) -> None:
    book = make_book(
        recipe=changed(
            "broken-widget", "return look()", f"print('widget 7 overflowed'); raise {error}"
        )
    )
    data = json.loads(run(book, "--step", "broken-widget", "--json", code=7))
    assert data["steps"][0]["reason"] == shown


def test_a_package_that_an_import_asks_for_is_not_another_error(
    make_book: MakeBook, run: Run
) -> None:
    says = (
        "raise ImportError('\\\\nThing needs PIL. Install it with `pip install no-such-pillow`.')"
    )
    book = recorded(make_book())
    path = book.entries[SLUG].folder / "evidence/cpu.json"
    path.write_text(
        path.read_text().replace('"versions": {}', '"versions": {"no-such-pillow": "1"}')
    )
    book = make_book(recipe=changed("it-breaks", "    fill()", f"    {says}"))
    data = json.loads(run(book, "--step", "it-breaks", "--json", code=3))
    assert data["steps"][0]["result"] == "not run", data["steps"][0]
    assert "pip install no-such-pillow" in data["steps"][0]["reason"]


def test_a_fix_of_a_harm_that_is_not_there_shows_nothing(make_book: MakeBook, run: Run) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["steps"]["broken-widget"]["expect"] = {"size": "> 100"}
    recipe = RECIPE.replace(
        '@fix("mend-it", control="it-breaks")', '@fix("mend-it", control="broken-widget")'
    )
    recipe = recipe.replace("return fill(mended=True)", "return look(mended=True)")
    entry["steps"]["mended"]["expect"] = {"found": "== false", "size": "== 3"}
    data = json.loads(run(make_book(entry, recipe), "--json", code=1))
    seen = {one["step"]: one for one in data["steps"]}
    assert seen["mended"]["result"] == "shows nothing here"
    assert "size is 9, expected > 100" in seen["mended"]["reason"]


def test_a_title_names_the_releases_that_ran(make_book: MakeBook, run: Run) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["steps"]["it-breaks"]["title"] = both("breaks on 0.0.99, not on 0.0.990")
    book = recorded(make_book(entry))
    path = book.entries[SLUG].folder / "evidence/cpu.json"
    path.write_text(path.read_text().replace('"versions": {}', '"versions": {"click": "0.0.99"}'))
    text = run(book, "--step", "it-breaks", code=0)
    assert f"breaks on {installed_version('click')}, not on 0.0.990" in text
