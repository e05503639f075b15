"""What rules say is what the tools do: each rule's proof is executed on its two fixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from fixbook.book import Prover
from fixbook.config.rules import rules
from fixbook.config.tools import TOOLS
from tests.config.fixtures import Fixture, fixtures
from tests.config.proofs import _TOOLS, kept_by_axolotl, objects_to_one, said_by
from tests.config.proofs_in_overlays import BESIDE
from tests.real_book import real_book

# The tools warn about their own dependencies.
pytestmark = [pytest.mark.tools, pytest.mark.filterwarnings("default")]
RULES = rules()
ALL = [item for item in fixtures() if item.name in RULES]
STEPS = [item for item in ALL if "step" in RULES[item.name]["proof"]]
SAYS = [
    item
    for item in ALL
    if {"says", "warns"} & set(RULES[item.name]["proof"])
    and not RULES[item.name]["proof"]["by"].startswith(BESIDE)  # test_overlays asks those
]


def _name(item: Fixture) -> str:
    return item.name


def test_every_prover_that_a_rule_can_name_is_asked() -> None:
    assert {*_TOOLS, "step"} == set(get_args(Prover))


@pytest.mark.parametrize("item", SAYS, ids=_name)
def test_the_tool_objects_to_one_and_not_to_the_other(item: Fixture) -> None:
    objects_to_one(item, RULES[item.name]["proof"])


@pytest.mark.parametrize("item", [i for i in ALL if "drops" in RULES[i.name]["proof"]], ids=_name)
def test_axolotl_drops_the_key(item: Fixture) -> None:
    key = RULES[item.name]["proof"]["drops"]
    assert key in item.fails.read_text("utf-8")
    assert key not in kept_by_axolotl(item.fails)
    if key in item.passes.read_text("utf-8"):
        # Plugins need packages that are not all installed; the table was read from their sources.
        assert (
            key in kept_by_axolotl(item.passes)
            or key in TOOLS["axolotl"].table["schemas"]["plugins"]
        )


@pytest.mark.parametrize(
    "item", [i for i in ALL if RULES[i.name]["proof"]["by"] == "attribute"], ids=_name
)
def test_the_setting_does_nothing(item: Fixture) -> None:
    proof = RULES[item.name]["proof"]
    said = f"{proof['key']}={proof['is']}"
    assert said_by(item, item.fails, proof) == said
    assert said_by(item, item.passes, proof) != said


@pytest.mark.parametrize("item", [i for i in ALL if "unset" in RULES[i.name]["proof"]], ids=_name)
def test_processes_never_see_the_section(item: Fixture) -> None:
    proof = RULES[item.name]["proof"]
    assert proof["unset"] not in said_by(item, item.fails, proof).split()
    assert proof["unset"] in said_by(item, item.passes, proof).split()


@pytest.mark.parametrize("item", STEPS, ids=_name)
def test_the_step_of_the_entry_is_recorded_as_passed(item: Fixture) -> None:
    rule = RULES[item.name]
    entry = real_book().entries[str(rule["entry"])]
    assert rule["proof"]["step"] in entry.entry.steps
    record = Path(entry.folder / "evidence" / "cpu.json")
    if record.is_file():
        assert (
            json.loads(record.read_text("utf-8"))["steps"][rule["proof"]["step"]]["verdict"]
            == "passed"
        )
