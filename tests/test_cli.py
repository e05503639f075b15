"""The command says what it does, fails with a message, and exits as documented."""

from __future__ import annotations

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
import psutil
import pytest

from fixbook.cli import run_command
from fixbook.cli.terminal import colours
from fixbook.recipe.record.store import load_evidence
from tests.conftest import ENTRY, RECIPE, both
from tests.waiting import LONG_S, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

COMMAND = [sys.executable, "-m", "fixbook"]


def fixbook(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "FIXBOOK_BOOK": str(root), "LANG": "C.UTF-8"}
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, env=env, check=False
    )


def clear(answer: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in answer.stderr
    return answer.stderr


def test_list_in_both_languages(make_book: MakeBook) -> None:
    root = make_book().root
    assert "Widget overflow\n" in fixbook(root, "list", "--lang", "en").stdout
    assert "（中文）" in fixbook(root, "list", "--lang", "zh").stdout
    told = json.loads(fixbook(root, "list", "--json").stdout)
    assert told["entries"][0]["slug"] == "widget-overflow"


def test_verify_records_then_show_fills_the_measures_in(make_book: MakeBook) -> None:
    root = make_book().root
    before = fixbook(root, "show", "widget-overflow")
    assert before.returncode == 2
    assert "has no evidence" in clear(before)
    answer = fixbook(root, "verify", "--record")
    assert answer.returncode == 0, answer.stderr
    assert "5 passed, 0 failed, 0 skipped" in answer.stderr
    assert "It grows to 9." in fixbook(root, "show", "widget-overflow", "--lang", "en").stdout
    assert fixbook(root, "lint").returncode == 0


def test_show_tells_the_causes_of_a_message_apart(make_book: MakeBook) -> None:
    entry = copy.deepcopy(ENTRY) | {
        "symptoms": [{"id": "no-room", "ask": both("Is a widget in it?")}]
    }
    symptom = {
        **{name: both(f"The {name}.") for name in ("title", "summary", "text")},
        "patterns": ["no room left for widgets"],
    }
    root = make_book(entry, symptoms={"no-room": symptom}).root
    shown = fixbook(root, "show", "no-room", "--lang", "en")
    assert shown.returncode == 0, shown.stderr
    assert "widget-overflow" in shown.stdout
    assert "Is a widget in it?" in shown.stdout
    as_data = json.loads(fixbook(root, "show", "no-room", "--json").stdout)
    assert [cause["ask"] for cause in as_data["causes"]] == ["Is a widget in it?"]


def test_run_one_step(make_book: MakeBook) -> None:
    answer = fixbook(make_book().root, "run", "widget-overflow", "--step", "mended")
    assert answer.returncode == 0
    assert "✓ helps here     mends" in answer.stdout
    assert "size 3 (without it 9)" in answer.stdout


def test_run_as_json(make_book: MakeBook) -> None:
    answer = fixbook(make_book().root, "run", "widget-overflow", "--json")
    rows = {row["step"]: row for row in json.loads(answer.stdout)["steps"]}
    assert rows["it-breaks"]["recognised"] == "widget-overflow"
    assert rows["it-breaks"]["exit_code"] == 1


def test_recipe_file_runs_by_itself(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE + "\nif __name__ == '__main__':\n    main(__file__)\n")
    recipe = book.get("widget-overflow").recipe
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, str(recipe), "--step", "mended", "--json"]
    answer = subprocess.run(run, capture_output=True, text=True, env=env, check=False)
    assert answer.returncode == 0, answer.stderr
    rows = {row["step"]: row for row in json.loads(answer.stdout)["steps"]}
    assert rows["mended"]["measures"]["size"] == 3
    assert set(rows) == {"mended", "it-breaks"}, "its control runs with it"
    help_text = subprocess.run(
        [*run[:2], "--help"], capture_output=True, text=True, env=env, check=True
    )
    assert "widget-overflow" in help_text.stdout


def test_failure_is_named_and_not_recorded(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE.replace("size=3", "size=30"))
    answer = fixbook(book.root, "verify", "--record")
    assert answer.returncode == 1
    assert "widget-overflow / mended: size is 30, expected <= 3" in answer.stderr
    assert "widget-overflow: mended not recorded: it failed" in answer.stderr
    record = json.loads((book.get("widget-overflow").folder / "evidence/cpu.json").read_text())
    assert "it-breaks" in record["steps"]
    assert "mended" not in record["steps"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "widget-overflw"), "did you mean widget-overflow?"),
        (("run", "no/../such"), "no entry has this slug"),
        (("run", "widget-overflow", "--step", "nope"), "its steps are: it-breaks"),
        (("run", "widget-overflow", "--versions", "torch"), "is not of the form NAME==VERSION"),
        (("frobnicate",), "No such command"),
        (("new", "Not A Slug"), "is not a slug"),
    ],
)
def test_wrong_usage(make_book: MakeBook, arguments: tuple[str, ...], message: str) -> None:
    answer = fixbook(make_book().root, *arguments)
    assert answer.returncode == 2
    assert message in clear(answer)


def test_broken_entry_is_named_with_its_line(make_book: MakeBook) -> None:
    book = make_book()
    path = book.get("widget-overflow").source.path
    path.write_text(path.read_text("utf-8").replace("trade_off:", "tradeof:"), "utf-8")
    answer = fixbook(book.root, "verify")
    assert answer.returncode == 2
    assert "did you mean 'trade_off'?" in clear(answer)


def test_missing_library_is_said_not_raised(make_book: MakeBook) -> None:
    book = make_book()
    path = book.get("widget-overflow").recipe
    text = path.read_text("utf-8").replace('["fixbook"]', '["fixbook", "no-such-library==2.0"]')
    path.write_text(
        text.replace("from fixbook", "import no_such_library\nfrom fixbook", 1), "utf-8"
    )
    answer = fixbook(book.root, "run", "widget-overflow")
    assert answer.returncode == 3
    assert "needs no-such-library: install with 'pip install no-such-library'" in answer.stdout


def test_nothing_could_run(make_book: MakeBook) -> None:
    recipe = "@fix('mend-it', needs=['no-such-package'])\ndef mended():\n    return {'size': 3}\n"
    answer = fixbook(make_book(recipe=recipe).root, "run", "widget-overflow")
    assert answer.returncode == 3
    assert "needs no-such-package" in answer.stdout


def test_scaffold_is_complete_but_for_its_contents(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    assert fixbook(tmp_path, "new", "fresh-entry").returncode == 0
    assert fixbook(tmp_path, "verify", "--record").returncode == 0
    answer = fixbook(tmp_path, "lint")
    assert answer.returncode == 1
    assert "is not filled in" in answer.stdout
    for path in (tmp_path / "recipes/fresh-entry").rglob("*"):
        if path.is_file() and path.suffix != ".json":
            path.write_text(path.read_text("utf-8").replace("TODO", "Done"), "utf-8")
    assert fixbook(tmp_path, "verify", "--record").returncode == 0
    answer = fixbook(tmp_path, "lint")
    assert answer.returncode == 0, answer.stdout
    again = fixbook(tmp_path, "new", "fresh-entry")
    assert again.returncode == 1
    assert "exists already; nothing was written" in clear(again)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interruption_keeps_what_has_ended(
    make_book: MakeBook, entry: dict[str, Any], tmp_path: Path, sent: signal.Signals
) -> None:
    """Ctrl-C in the middle: no process, what ended before is recorded, exit code 130."""
    entry["steps"]["waits"] = {"title": both("waits"), "expect": {"size": "== 1"}}
    recipe = RECIPE + (
        '\n@fix("mend-it")\ndef waits():\n    import os, time\n'
        f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n"
    )
    book = make_book(entry, recipe)
    env = {**os.environ, "FIXBOOK_BOOK": str(book.root)}
    command = [*COMMAND, "verify", "--record"]
    with subprocess.Popen(
        command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as run:
        text_of(tmp_path / "pid")
        run.send_signal(sent)
        _, errors = run.communicate(timeout=LONG_S)
    assert run.returncode == 130, errors
    assert "interrupted; what ended before is recorded" in errors
    assert "Traceback" not in errors
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))
    item = book.get("widget-overflow")
    recorded = {name for one in load_evidence(item).values() for name in one.steps}
    assert "waits" not in recorded
    assert all(f"/{name} " in errors for name in recorded), "each was said to have ended"


def test_a_copied_folder_runs_by_itself(make_book: MakeBook, tmp_path: Path) -> None:
    book = make_book(recipe=RECIPE + "\nif __name__ == '__main__':\n    main(__file__)\n")
    copy = tmp_path / "elsewhere" / "my-copy"
    shutil.copytree(book.get("widget-overflow").folder, copy)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "FIXBOOK_BOOK": str(book.root)}
    run = [sys.executable, str(copy / "recipe.py"), "--step", "mended", "--json"]
    answer = subprocess.run(run, capture_output=True, text=True, env=env, check=False)
    assert answer.returncode == 0, answer.stderr
    assert {row["verdict"] for row in json.loads(answer.stdout)["steps"]} == {"passed"}


def test_help_imports_no_subcommand() -> None:
    """All of them take half a second, and a list of what they do needs none."""
    code = (
        "import sys\nfrom fixbook.cli import cli, run_command\nrun_command(cli, ['--help'])\n"
        "print(sorted({'yaml', 'pydantic', 'rich', 'psutil'} & sys.modules.keys()))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.splitlines()[-1] == "[]"
    assert "  schema    Print the JSON Schema of entry.yaml." in answer.stdout


def test_text_alone_is_printed_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def coloured() -> int:
        return 0 if click.get_current_context().color is False else 1

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run_command(coloured, []) == 1
    monkeypatch.setenv("NO_COLOR", "1")
    assert run_command(coloured, []) == 0
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: True))
    assert not colours()
    monkeypatch.setenv("NO_COLOR", "")
    assert colours()
