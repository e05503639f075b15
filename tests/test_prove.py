"""One command says everything that must hold of an entry, and what is left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from fixbook.gates import GATES
from fixbook.gates.one_entry import RECORDED, WRITTEN, concerns
from fixbook.problem import Problem
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
SLUG = "widget-overflow"
ROOT = Path(__file__).parents[1]


def fixbook(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "FIXBOOK_BOOK": str(root), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "fixbook", *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert "Traceback" not in answer.stderr
    return answer


def test_every_gate_is_asked_once() -> None:
    assert sorted([*WRITTEN, *RECORDED]) == sorted(GATES)


def test_a_new_entry_is_proven(make_book: MakeBook) -> None:
    root = make_book().root
    answer = fixbook(root, "prove", SLUG)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    last = answer.stdout.splitlines()[-1]
    assert f"{SLUG}: proven by 5 steps; open text: " in last
    assert f"/en/{SLUG}/" in last
    again = fixbook(root, "prove", SLUG)
    assert "nothing changed since it was recorded" in again.stderr


def test_texts_alone_run_nothing(make_book: MakeBook) -> None:
    root = make_book().root
    answer = fixbook(root, "prove", SLUG, "--no-run")
    assert answer.returncode == 1
    assert "no step is recorded yet" in answer.stdout
    assert not (root / "recipes" / SLUG / "evidence").exists()


def test_what_is_left_is_counted(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE.replace("size=3", "size=30"))
    answer = fixbook(book.root, "prove", SLUG)
    assert answer.returncode == 1
    assert "a step does not show what it should" in answer.stdout
    assert "things left" in answer.stdout.splitlines()[-1]


def test_a_wrong_entry_is_named_with_its_line(make_book: MakeBook) -> None:
    book = make_book()
    path = book.entries[SLUG].source.path
    path.write_text(path.read_text("utf-8").replace("status: ", "").replace("added:", "addd:"))
    answer = fixbook(book.root, "prove", SLUG)
    assert answer.returncode == 2
    assert "entry.yaml:" in answer.stderr
    assert "did you mean 'added'?" in answer.stderr


def test_a_scaffold_lacks_nothing_but_its_contents(make_book: MakeBook) -> None:
    """``fixbook new`` writes what runs, is found, and shows on a page."""
    root = make_book().root
    assert fixbook(root, "new", "my-failure").returncode == 0
    answer = fixbook(root, "prove", "my-failure")
    gates = {line.split("]")[0] for line in answer.stdout.splitlines() if line.startswith("  [")}
    assert gates == {"  [unfinished"}, answer.stdout
    assert "5 passed, 0 failed" in answer.stderr


def test_one_language_is_enough_to_propose(make_book: MakeBook) -> None:
    book = make_book()
    path = book.entries[SLUG].source.path
    entry = yaml.safe_load(path.read_text("utf-8"))
    entry["symptom"]["zh"] = "TODO 现象。"
    entry["fixes"][0]["text"]["zh"] = "TODO 做什么。"
    path.write_text(yaml.safe_dump(entry, allow_unicode=True, sort_keys=False), "utf-8")
    both = fixbook(book.root, "prove", SLUG)
    assert both.returncode == 1
    assert "is not filled in" in both.stdout
    english = fixbook(book.root, "prove", SLUG, "--lang", "en")
    assert english.returncode == 0, english.stdout
    assert "as it is not written in zh yet" in english.stdout
    assert english.stdout.count("entry.yaml:") == 2
    assert fixbook(book.root, "prove", SLUG, "--lang", "zh").returncode == 1
    entry["cause"]["en"] = "TODO why"
    path.write_text(yaml.safe_dump(entry, allow_unicode=True, sort_keys=False), "utf-8")
    assert fixbook(book.root, "prove", SLUG, "--lang", "en").returncode == 1


def test_neighbours_are_left_alone(make_book: MakeBook) -> None:
    root = make_book().root
    (root / "recipes" / "broken").mkdir()
    (root / "recipes" / "broken" / "entry.yaml").write_text("title: 1\n", "utf-8")
    answer = fixbook(root, "lint", SLUG)
    assert "recipes/broken" not in answer.stdout
    assert "1 entries" in answer.stderr


def test_what_an_entry_does_to_others_concerns_it(make_book: MakeBook) -> None:
    book = make_book()
    where = str(book.root / "recipes" / "another" / "queries.yaml")
    assert concerns(book, SLUG, Problem(where, f"query 1 (line) leads to {SLUG}, another"))
    assert not concerns(book, SLUG, Problem(where, f"query 1 (line) leads to {SLUG}-twice"))
    assert concerns(book, SLUG, Problem(f"{book.entries[SLUG].source.path}:3", "is wrong"))
    assert not concerns(book, SLUG, Problem(f"{book.root}/recipes/{SLUG}-twice/entry.yaml:3", ""))


def test_pinned_versions_are_written(make_book: MakeBook) -> None:
    book = make_book()
    (book.root / "requirements.txt").write_text("click==8.2.0\n", "utf-8")
    recipe = book.entries[SLUG].recipe
    text = recipe.read_text("utf-8").replace('["fixbook"]', '["fixbook", "click"]')
    recipe.write_text(text, "utf-8")
    assert "wrote the pinned versions into recipe.py" in fixbook(book.root, "prove", SLUG).stdout
    assert '"click==8.2.0"' in recipe.read_text("utf-8")


def test_the_page_is_described_as_data(make_book: MakeBook) -> None:
    root = make_book().root
    fixbook(root, "verify", "--record", SLUG)
    run = [sys.executable, "-m", "generator", "page", SLUG]
    env = {**os.environ, "FIXBOOK_BOOK": str(root)}
    seen = json.loads(subprocess.run(run, capture_output=True, env=env, check=True).stdout)
    assert seen["en"]["most"] == 500
    assert 0 < seen["zh"]["length"] < seen["zh"]["most"]


def test_a_rule_is_proven_by_its_tool() -> None:
    answer = fixbook(ROOT, "prove", "transformers-fp16-with-bf16")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "fails.py: At most one of fp16 and bf16 can be True" in answer.stdout
    assert "passes.py: nothing" in answer.stdout
    assert answer.stdout.endswith("transformers-fp16-with-bf16: nothing left; its proof holds\n")


def test_what_is_left_of_a_message_is_said(make_book: MakeBook) -> None:
    root, name = make_book().root, "arrow-nested-chunked"
    (root / "symptoms").mkdir(exist_ok=True)
    path = root / "symptoms" / f"{name}.yaml"
    text = (ROOT / "symptoms" / f"{name}.yaml").read_text("utf-8")
    left = "summary:\n  zh: one row group holds too much of it #"
    path.write_text(text.replace("summary:\n  zh:", left, 1) + "# TODO\n", "utf-8")
    answer = fixbook(root, "prove", name)
    assert answer.returncode == 1, answer.stdout + answer.stderr
    assert f"symptoms/{name}.yaml: summary: the Chinese text is not Chinese" in answer.stdout
    assert "is not filled in" in answer.stdout


def test_what_is_left_of_a_rule_is_said(make_book: MakeBook) -> None:
    root, name = make_book().root, "transformers-fp16-with-bf16"
    folder = root / "rules" / name
    shutil.copytree(ROOT / "rules" / name, folder)
    rule, text = folder / "rule.yaml", (folder / "rule.yaml").read_text("utf-8")
    shutil.copyfile(folder / "passes.py", folder / "fails.py")
    rule.write_text(text.replace("transformers", "transformer", 1), "utf-8")
    answer = fixbook(root, "prove", name)
    assert answer.returncode == 1
    assert "'transformer' is not known" in answer.stdout
    assert "the rule does not report it" in answer.stdout
    assert f"{name}: 2 things left" in answer.stdout
    rule.write_text(text, "utf-8")
    (folder / "fails.py").write_text("print()\n", "utf-8")
    assert "no tool is recognised in it" in fixbook(root, "prove", name, "--no-run").stdout
    rule.write_text("tools: [\n" + text, "utf-8")
    answer = fixbook(root, "prove", name)
    assert answer.returncode != 0
    assert f"rules/{name}/rule.yaml:" in answer.stdout + answer.stderr
