"""A rule is begun with files that its tool's rules are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from fixbook.book import load_book
from fixbook.book.rules import load_rule
from fixbook.cli.new_rule import rule_scaffold, sound_files
from fixbook.config.check import check
from fixbook.config.read import read_file
from fixbook.config.tools import EVERY
from fixbook.style import read_file as styled
from tests.test_prove import fixbook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
NAME = "transformers-of-mine"
FILLED = """tools: {transformers: ""}
severity: error
at: logging_steps
when: {key: logging_steps, is: 0}
message: {zh: '`logging_steps` 不能为 0', en: '`logging_steps` is refused if it is 0'}
why: {zh: TrainingArguments 会报错。, en: TrainingArguments raises.}
proof: {by: transformers, says: requires non-zero --logging_steps}
"""


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("asked", [*sound_files(), "trl/GRPOConfig", "trl/DPOConfig"])
def test_what_is_begun_is_a_rule_on_files_of_its_tool(asked: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "rules" / "begun", rule_scaffold(asked))
    rule = load_rule(folder).rule  # all that is required is there
    assert list(rule.tools) == [asked]
    text, in_style = styled(folder / "rule.yaml")
    assert text == in_style
    tool, _slash, schema = asked.partition("/")
    for path in (load_rule(folder).fixture("fails"), load_rule(folder).fixture("passes")):
        assert path
        read = read_file(path)
        report = check([read])
        assert not report.unrecognised
        assert not report.findings
        # Of others than these, such as what a Python file imports, no rule on the tool is asked.
        read_as = [item.schema for item in read.sections if not item.schema.stands_alone]
        assert [item.tool.name for item in read_as] == [tool]
        assert schema in {"", read_as[0].name}


def test_every_tool_that_rules_are_about_can_be_begun_on() -> None:
    """But those of which a Python file imports names: what is gone there is in tables."""
    keyless = {name for name, tool in EVERY.items() if tool.classes and not tool.schemas}
    assert set(EVERY) - keyless - {"torch"} == set(sound_files())


def test_an_untouched_rule_is_told_what_it_lacks(make_book: MakeBook) -> None:
    root = make_book().root
    made = fixbook(root, "new", "--rule", "transformers", NAME)
    assert made.returncode == 0, made.stderr
    assert f"fixbook prove {NAME}" in made.stdout
    (root / "tests/config").mkdir(parents=True)  # where tools are asked from
    left = fixbook(root, "prove", NAME)
    assert left.returncode == 1
    assert f"rules/{NAME}/fails.py:1: is not filled in" in left.stdout
    assert "the rule does not report it" in left.stdout
    assert "not asked yet: a TODO is left" in left.stdout
    gates = {line.split("]")[0] for line in left.stdout.splitlines() if line.startswith("  [")}
    assert gates == {"  [unfinished", "  [fixtures"}
    folder = root / "rules" / NAME
    (folder / "rule.yaml").write_text(FILLED, "utf-8")
    text = (folder / "passes.py").read_text("utf-8")
    (folder / "fails.py").write_text(text.replace("logging_steps=10", "logging_steps=0"), "utf-8")
    assert not load_book(root, strict=False).problems
    proven = fixbook(root, "prove", NAME, "--no-run")
    assert proven.returncode == 0, proven.stdout
    found = fixbook(root, "check", str(folder / "fails.py"))
    assert f"[{NAME}]" in found.stdout


def test_nothing_is_written_over(make_book: MakeBook) -> None:
    root = make_book().root
    assert fixbook(root, "new", "--rule", "vllm", "vllm-of-mine").returncode == 0
    for name in ("vllm-of-mine", "widget-overflow"):  # a rule, and an entry
        again = fixbook(root, "new", "--rule", "vllm", name)
        assert again.returncode == 1
        assert "exists already; nothing was written" in again.stderr
    assert not (root / "rules/widget-overflow").exists()


@pytest.mark.parametrize(
    ("asked", "near"),
    [("axolot", "axolotl"), ("trl/GRPOConfg", "trl/GRPOConfig"), ("trl/imports", ""), ("", "")],
)
def test_a_tool_that_is_not_known_gets_the_list(asked: str, near: str) -> None:
    with pytest.raises(click.BadParameter) as told:
        rule_scaffold(asked)
    assert all(name in told.value.message for name in sound_files())
    assert not near or f"did you mean {near}" in told.value.message


def test_a_rule_begins_with_no_log(make_book: MakeBook, tmp_path: Path) -> None:
    root, log = make_book().root, tmp_path / "job.log"
    log.write_text("ValueError: no\n", "utf-8")
    told = fixbook(root, "new", "--rule", "vllm", "vllm-of-mine", "--log", str(log))
    assert told.returncode == 2
    assert "leave out the log" in told.stderr
    wrong = fixbook(root, "new", "--rule", "vllm", "../rules")
    assert wrong.returncode == 2
    assert "is not a slug" in wrong.stderr
    assert not (root / "rules").exists()
