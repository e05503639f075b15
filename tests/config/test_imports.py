"""What a Python file imports is judged where it always runs, by what releases were seen to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.config.check import check
from fixbook.config.read import parse
from fixbook.config.rules import rules
from fixbook.config.tool import IMPORTS
from fixbook.versions import within
from tests.real_book import real_book

if TYPE_CHECKING:
    from fixbook.book import RuleRow

JUDGED = "from transformers import AdamW\n"
LEFT_ALONE = {
    "in a try": "try:\n    from transformers import AdamW\nexcept ImportError:\n    AdamW = None\n",
    "after a test": "import sys\nif sys.argv:\n    from transformers import AdamW\n",
    "relative": "from .transformers import AdamW\n",
    "of another package": "from torch.optim import AdamW\n",
    "still there": "from transformers import Trainer\n",
}


def _found(text: str) -> list[tuple[str, int, int]]:
    report = check([parse(text, Path("train.py"))])
    places = [(finding.rule, finding.setting.key_place) for finding in report.findings]
    return [(rule, place.line, place.column) for rule, place in places]


def test_an_import_of_a_name_that_is_gone_is_found() -> None:
    assert _found(JUDGED) == [("transformers-import-gone-4-50", 1, 26)]


def test_each_name_is_found_where_it_stands() -> None:
    imports = "from transformers import (\n        HybridCache as Cache,\n        AdamW,\n    )"
    text = f"def run():\n    {imports}\n"
    assert [place[1:] for place in _found(text)] == [(3, 9), (4, 9)]


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_may_not_run_or_is_there_is_left_alone(text: str) -> None:
    assert _found(text) == []


def test_a_rule_on_a_tool_is_not_about_its_imports() -> None:
    assert _found(JUDGED.replace("AdamW", "evaluation_strategy")) == []


def _release(step: dict[str, Any], package: str) -> str:
    beside = dict(pin.split("==") for pin in step.get("overlay", ()))
    return str(beside.get(package) or step["versions"][package])


OF_IMPORTS = [row for row in rules().values() if any(IMPORTS in name for name in row["tools"])]


@pytest.mark.parametrize("row", OF_IMPORTS, ids=lambda row: row["id"])
def test_its_range_begins_where_the_recorded_releases_say(row: RuleRow) -> None:
    item = real_book().entries[str(row["entry"])]
    assert item.entry.names is not None
    package = item.entry.names.package
    recorded = json.loads((item.folder / "evidence/cpu.json").read_bytes())["steps"]
    asked = [recorded[step] for step in item.entry.names.steps]
    releases = [_release(step, package) for step in asked]
    wanted = row["tools"][f"{package}/{IMPORTS}"]
    for name in row["when"].get("in") or [row["when"]["is"]]:
        does = {
            release: one["does"]
            for release, step in zip(releases, asked, strict=True)
            for one in step["measures"]["names"]
            if name.endswith(one["name"].removeprefix(f"{package}."))
        }
        inside = [release for release in does if within(release, wanted)]
        before = [release for release in does if not within(release, wanted)]
        assert {does[release] for release in inside} == {"refuses"}, name
        assert does[before[-1]] == "takes", name
