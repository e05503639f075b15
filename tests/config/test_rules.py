"""Every rule reports its failing fixture, leaves its passing one alone, and mends what it can."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.book import Condition, Rule, RuleRow
from fixbook.config.check import check
from fixbook.config.patch import mended
from fixbook.config.predicate import _OPERATORS
from fixbook.config.read import read_file
from fixbook.config.rules import rules
from tests.config.fixtures import Fixture, fixtures
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

ALL = fixtures()
RULES = rules()
FIXABLE = [
    item
    for item in ALL
    if item.name in RULES and (RULES[item.name]["fix"] or any(RULES[item.name]["renames"].values()))
]


def _name(item: Fixture) -> str:
    return item.name


def test_every_folder_of_fixtures_is_that_of_a_rule() -> None:
    book = real_book()
    assert {path.name for path in (book.root / "rules").iterdir()} == set(RULES)
    assert len(RULES) >= 115


@pytest.mark.parametrize("item", ALL, ids=_name)
def test_failing_fixture_is_reported_by_its_rule_alone(item: Fixture) -> None:
    assert {finding.rule for finding in item.report(item.fails).findings} == {item.rule}


@pytest.mark.parametrize("item", ALL, ids=_name)
def test_passing_fixture_is_left_alone(item: Fixture) -> None:
    assert item.report(item.passes).findings == []


@pytest.mark.parametrize("item", FIXABLE, ids=_name)
def test_fix_makes_the_failing_fixture_clean_and_changes_nothing_else(item: Fixture) -> None:
    report = item.report(item.fails)
    text, applied = mended(report.findings[0].document, report.findings)
    assert applied == report.findings
    assert text == item.passes.read_text("utf-8")


@pytest.mark.parametrize("item", ALL, ids=_name)
def test_messages_are_filled_in_both_languages(item: Fixture) -> None:
    for finding in item.report(item.fails).findings:
        for text in (*finding.message.values(), *finding.why.values()):
            assert "{" not in text.replace('{"enabled": true}', "")
        assert finding.message["zh"] != finding.message["en"]


def test_compiled_rules_have_the_fields_of_the_model() -> None:
    assert RuleRow.__required_keys__ == {*Rule.model_fields, "entry"}
    for row in RULES.values():
        assert set(row) == RuleRow.__required_keys__


def test_tests_of_model_and_engine_are_the_same() -> None:
    names = {field.alias or name for name, field in Condition.model_fields.items()}
    assert names - {"all", "any", "not", "key"} == {*_OPERATORS, "set"}


def test_rules_of_entries_are_those_of_the_book() -> None:
    written = {
        rule.id: slug
        for slug, item in real_book().entries.items()
        for rule in item.entry.config_rules
    }
    named = {name: item.rule.entry for name, item in real_book().rules.items() if item.rule.entry}
    assert not written.keys() & named.keys()
    assert {**written, **named} == {
        row["id"]: row["entry"] for row in RULES.values() if row["entry"]
    }


def test_posted_configuration_of_the_out_of_memory_report() -> None:
    entry = real_book().entries["oom-activations-and-logits"]
    document = read_file(entry.folder / "configs" / "before.yaml")
    report = Fixture("", document.path, document.path).report(document.path)
    found = {finding.setting.key: finding for finding in report.findings}
    assert "`sequence_len`" in found["sequence_length"].text("en")
    assert found["sequence_length"].entry == "oom-activations-and-logits"
    assert found["sequence_length"].setting.key_place.line == 9


def test_rules_are_read_without_the_models(tmp_path: Path) -> None:
    """The second check finds them compiled: it needs neither pydantic nor the book."""
    code = "import sys; from fixbook.config.rules import rules; print(len(rules()), *sys.modules)"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert said[0][0] == said[1][0] == str(len(RULES))
    assert "pydantic" in said[0]
    assert not {"pydantic", "fixbook.book", "yaml"} & set(said[1])


def test_a_finding_stands_at_the_key_that_the_rule_objects_to(tmp_path: Path) -> None:
    path = tmp_path / "ds_config.json"
    path.write_text(
        '{"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "8",'
        ' "zero_optimization": {"stage": 2}}\n',
        "utf-8",
    )
    (found,) = check([read_file(path)]).findings
    assert (found.rule, found.setting.key) == (
        "deepspeed-text-for-a-batch-size",
        "gradient_accumulation_steps",
    )
