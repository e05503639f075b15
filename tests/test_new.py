"""One pasted log, or one report, begins an entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from click.testing import CliRunner

from fixbook.cli.diagnose import command as diagnose
from fixbook.index.build import rows_from
from fixbook.log.proposal import proposal_of
from fixbook.log.signatures import index_from
from fixbook.repository import REPOSITORY_VARIABLE
from tests.test_exception import FRAMES
from tests.test_prove import fixbook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
LINE = "ValueError: adapter 7 of 'base' is not loaded into /home/ann/out/model (see it's name)"


@pytest.mark.parametrize(
    ("line", "pattern", "captures"),
    [
        (
            "RuntimeError: shape '[2, 3]' is invalid for an input of 12",
            r"RuntimeError: shape '(?P<name>[^']+)' is invalid for an input of (?P<number>[\d.,]+)",
            ("name", "number"),
        ),
        (  # the names are all that tells it from others
            "AttributeError: 'FooConfig' object has no attribute 'bar'",
            r"AttributeError: 'FooConfig' object has no attribute 'bar'",
            (),
        ),
        (
            "OSError: /data/job/a.bin and /data/job/b.bin differ: 3 of 4 fp16 (x)",
            r"OSError: \S+ and \S+ differ: (?P<number>[\d.,]+) of (?P<number2>[\d.,]+) fp16 \(x\)",
            ("number", "number2"),
        ),
        (  # apostrophes are no quotes, and what a KeyError escapes is another line
            r'''KeyError: "param 'lr' isn't set in groups[0].\nYou're here as it isn't loaded"''',
            r"""KeyError: "param '(?P<name>[^']+)' isn't set in groups\[(?P<number>[\d.,]+)\]\.""",
            ("name", "number"),
        ),
    ],
)
def test_a_pattern_keeps_words_and_frees_values(
    make_book: MakeBook, line: str, pattern: str, captures: tuple[str, ...]
) -> None:
    index = index_from(rows_from(make_book()))
    found = proposal_of(f"{FRAMES}[rank2]: {line}\n", index, lambda text: text)
    assert found
    assert found.pattern == pattern
    assert found.captures == captures
    assert found.projects[0] == "peft"


def test_a_log_and_its_report_begin_the_same_entry(
    make_book: MakeBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REPOSITORY_VARIABLE, "")
    root = make_book().root
    log = tmp_path / "job.log"
    log.write_text(f"step 1\n{FRAMES}[rank2]: {LINE}\n", "utf-8")
    answer = fixbook(root, "new", "from-log", "--log", str(log))
    assert answer.returncode == 0, answer.stderr
    assert "wrote 7 files" in answer.stdout
    assert "slugs.txt" in answer.stdout
    entry = yaml.safe_load((root / "recipes/from-log/entry.yaml").read_text("utf-8"))
    assert entry["projects"] == ["peft"]
    assert "adapter 7 of" in entry["symptom"]["en"]
    assert "/home/ann" not in (root / "recipes/from-log/logs/first.txt").read_text("utf-8")
    proven = fixbook(root, "prove", "from-log")
    gates = {line.split("]")[0] for line in proven.stdout.splitlines() if line.startswith("  [")}
    assert gates == {"  [unfinished"}, proven.stdout
    report = CliRunner().invoke(diagnose, ["--report", str(log)], standalone_mode=False).stdout
    for name, text in (("printed", report), ("data", json.dumps({"body": report}))):
        (tmp_path / name).write_text(text, "utf-8")
        made = fixbook(root, "new", f"from-{name}", "--report", str(tmp_path / name))
        assert made.returncode == 0, made.stderr
        again = yaml.safe_load((root / f"recipes/from-{name}/entry.yaml").read_text("utf-8"))
        assert again["signatures"] == entry["signatures"]


def test_what_holds_no_failure_begins_nothing(make_book: MakeBook, tmp_path: Path) -> None:
    root = make_book().root
    log = tmp_path / "job.log"
    log.write_text("step 1 loss 2.5\n", "utf-8")
    answer = fixbook(root, "new", "from-nothing", "--log", str(log))
    assert answer.returncode == 1
    assert "no line reads like a failure" in answer.stderr
    assert not (root / "recipes/from-nothing").exists()


def test_a_cluster_of_a_triage_begins_an_entry(make_book: MakeBook, tmp_path: Path) -> None:
    root = make_book().root
    path = tmp_path / "1a2b.json"
    path.write_text(json.dumps({"runs": 3, "excerpt": f"{FRAMES}{LINE}\n"}))
    made = fixbook(root, "new", "from-cluster", "--from-cluster", str(path))
    assert made.returncode == 0, made.stderr
    entry = yaml.safe_load((root / "recipes/from-cluster/entry.yaml").read_text("utf-8"))
    assert "is not loaded into" in entry["signatures"][0]["pattern"]
    path.write_text(json.dumps({"runs": 3, "excerpt": None}))
    without = fixbook(root, "new", "from-nothing", "--from-cluster", str(path))
    assert without.returncode != 0
    assert "holds no excerpt" in without.stderr
