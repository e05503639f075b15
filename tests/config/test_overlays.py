"""Tools beside the environment: the tables have their keys, and they take what rules let pass."""

from __future__ import annotations

import pytest

from fixbook.config.extract.archives import read_installed
from fixbook.config.extract.tables import keys_of
from fixbook.config.rules import rules
from fixbook.config.tools import TOOLS, schema_of
from tests.config.fixtures import Fixture, fixtures
from tests.config.proofs import objects_to_one, said_by
from tests.config.proofs_in_overlays import BESIDE, PACKAGES, answers, folder_of

# The older one of two releases of transformers is only there to run.
BESIDE_IT = sorted(PACKAGES.keys() - {"transformers"})
RULES = rules()
ASKED = [
    item
    for item in fixtures()
    if item.name in RULES and str(RULES[item.name]["proof"]["by"]).startswith(BESIDE)
]
FOLDERS = {"ms-swift": "swift"}
LET_PASS = [item for item in ASKED if not item.name.startswith("trl-")]
pytestmark = [pytest.mark.tools, pytest.mark.filterwarnings("default")]


@pytest.mark.parametrize("tool", BESIDE_IT)
def test_extracting_from_the_released_package_gives_the_same_keys(tool: str) -> None:
    release = read_installed(tool, TOOLS[tool].newest, folder_of(tool) / FOLDERS.get(tool, tool))
    for schema, found in keys_of(tool, release.files).items():
        known = schema_of(tool, schema)
        ours = {key for key, row in known.own.items() if known.has(row)}
        assert ours == set(found), schema


@pytest.mark.parametrize("tool", BESIDE_IT)
def test_newest_release_of_a_table_is_the_one_that_is_asked(tool: str) -> None:
    assert f"{tool}=={TOOLS[tool].newest}" in PACKAGES[tool]


def test_llamafactory_itself_has_these_keys() -> None:
    """Its own; its trainer's are those of transformers, in whichever release is beside it."""
    known = schema_of("llamafactory")
    ours = {key for key, row in known.own.items() if known.has(row)}
    assert ours - {"extends:transformers"} == set(answers("llamafactory", "keys", {"": {}})[""])


def test_verl_itself_has_these_keys() -> None:
    composed = set(answers("verl", "keys", {"": []})[""])
    assert composed - set(schema_of("verl").valid) == set()
    composed = set(answers("verl", "sft-keys", {"": []})[""])
    assert composed - set(schema_of("verl", "sft_trainer").valid) == set()


@pytest.mark.parametrize("item", ASKED, ids=lambda item: str(item.name))
def test_the_tool_objects_to_one_and_not_to_the_other(item: Fixture) -> None:
    objects_to_one(item, RULES[item.name]["proof"])


@pytest.mark.parametrize("item", LET_PASS, ids=lambda item: str(item.name))
def test_the_tool_takes_what_the_rule_lets_pass(item: Fixture) -> None:
    said = said_by(item, item.passes, RULES[item.name]["proof"])
    # Its metrics need a package that is not installed; that is the last thing it asks for.
    assert "Error" not in said or "'jieba' distribution was not found" in said
