"""What makes the evidence of a step stale, and what does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml

from fixbook.book import load_entry
from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.reading import level
from fixbook.recipe.reading.digest import _decorator, digests_of, entry_uses
from fixbook.recipe.reading.outline import read_outline
from tests.recipe_in_parts import replace, write_recipe

if TYPE_CHECKING:
    from pathlib import Path

STEPS = {"it-breaks", "mended", "looked", "shaken"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_recipe(tmp_path)


def digests(folder: Path) -> dict[str, str]:
    item = load_entry(folder)
    return digests_of(item, read_outline(item.recipe))


@pytest.mark.parametrize(
    ("name", "old", "new", "stale"),
    [
        ("failure.py", "+ limit", "- limit", {"it-breaks", "mended"}),
        ("failure.py", "return 1", "return 2", set()),
        ("failure.py", "# a comment", "# another\n", set()),
        ("failure.py", '"""Train."""', '"""Train it,\n    well."""', set()),
        ("kernels.py", "len(name)", "len(name) + 1", {"it-breaks", "mended"}),
        ("kernels.py", "def build", "import os\nos.umask(7)\n\ndef build", STEPS),
        ("kernels.py", "def build", "import this\n\ndef build", STEPS),
        ("wkv.cpp", "x", "y", {"it-breaks", "mended"}),
        ("configs/after.yaml", "1", "3", {"mended"}),
        ("configs/before.yaml", "2", "3", set()),
        ("tools.py", "SIZE = 2", "SIZE = 3", {"looked"}),
        ("tools.py", "return 5", "return 6", set()),
        ("recipe.py", "LIMIT = 3", "LIMIT = 2 + 1", {"it-breaks", "mended"}),
        ("recipe.py", '"mend-it", control', '"mend-it", timeout_s=9, control', {"mended"}),
        ("recipe.py", '"mend-it", control', '"mend-it", ranks=1, control', set()),
        ("recipe.py", '"mend-it", control', '"mend-it", record_once="slow", control', set()),
        ("recipe.py", "found=True", "found=False", {"looked"}),
        ("recipe.py", "train(LIMIT)", "train(\n        LIMIT\n    )  # same", set()),
        ("entry.yaml", "The run ends.", "The run is over.", set()),
        ("entry.yaml", "size: <= 3", "size: <= 4", {"mended"}),
        ("entry.yaml", "(?P<number>", "(?P<n>", {"it-breaks", "mended"}),
        ("logs/one.txt", "step 1", "step 2", set()),
    ],
)
def test_only_what_a_step_uses_makes_it_stale(
    folder: Path, name: str, old: str, new: str, stale: set[str]
) -> None:
    before = digests(folder)
    replace(folder, name, old, new)
    after = digests(folder)
    assert {step for step in before if before[step] != after[step]} == stale


def test_snippets_count_for_the_steps_that_run_them(folder: Path) -> None:
    before = digests(folder)
    code = load_entry(folder).entry.snippets["detect"].code
    replace(folder, "entry.yaml", code.strip(), code.strip() + "  # a remark")
    assert digests(folder) == before
    replace(folder, "entry.yaml", code.strip(), f"x = 1; {code.strip()}")
    assert {step for step, digest in digests(folder).items() if digest != before[step]} == {
        "shaken"
    }


def _detect(folder: Path, code: str, language: str = "python") -> None:
    """Let the page of the entry, and the step that runs it, have this code."""
    path = folder / "entry.yaml"
    data = yaml.safe_load(path.read_text("utf-8"))
    data["snippets"]["detect"] = {"code": code, "language": language}
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")


@pytest.mark.parametrize(
    ("language", "imported"), [("python", True), ("bash", False), ("yaml", False)]
)
def test_what_a_snippet_imports_is_needed_if_it_is_python(
    folder: Path,
    language: str,
    imported: bool,  # noqa: FBT001
) -> None:
    _detect(folder, "import peft\n", language)
    item = load_entry(folder)
    uses = entry_uses(item, read_outline(item.recipe))
    assert ("peft" in uses["shaken"].imports) is imported


@pytest.mark.parametrize(
    ("code", "language"), [("for row in rows:\n", "python"), ("true\n", "bash"), ("true\n", "yaml")]
)
def test_what_is_no_whole_python_counts_as_it_stands(
    folder: Path, code: str, language: str
) -> None:
    _detect(folder, code, language)
    before = digests(folder)
    _detect(folder, f"\n{code}\n", language)
    assert digests(folder) == before
    _detect(folder, f"{code}# a remark\n", language)
    after = digests(folder)
    assert {step for step in before if before[step] != after[step]} == {"shaken"}


def test_a_renamed_helper_file_changes_nothing(folder: Path) -> None:
    before = digests(folder)
    (folder / "failure.py").rename(folder / "training.py")
    replace(folder, "recipe.py", "from failure", "from training")
    (folder / "tools.py").rename(folder / "measuring.py")
    replace(folder, "recipe.py", "import tools", "import measuring as tools")
    assert digests(folder) == before


def test_what_cannot_be_followed_brings_in_all_of_it(folder: Path) -> None:
    replace(folder, "recipe.py", "tools.look()", 'getattr(tools, "lo" + "ok")()')
    replace(folder, "recipe.py", '"configs" / "after.yaml"', '"configs" / str(LIMIT)')
    before = digests(folder)
    replace(folder, "tools.py", "return 5", "return 6")
    replace(folder, "configs/before.yaml", "2", "3")
    after = digests(folder)
    assert {step for step in before if before[step] != after[step]} == {"looked", "mended"}


def test_a_swap_of_two_helpers_is_seen(folder: Path) -> None:
    replace(folder, "tools.py", "return SIZE", "return SIZE - other()")
    before = digests(folder)
    replace(folder, "tools.py", "SIZE - other()", "other() - SIZE")
    assert digests(folder)["looked"] != before["looked"]


def test_the_level_of_the_harness_counts_for_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(folder)
    monkeypatch.setattr("fixbook.recipe.reading.digest.HARNESS_LEVEL", level.HARNESS_LEVEL + 1)
    assert not set(before.values()) & set(digests(folder).values())


def test_a_broken_helper_is_named(folder: Path) -> None:
    (folder / "failure.py").write_text("def (", "utf-8")
    with pytest.raises(Exception, match="a module of the recipe cannot be read"):
        digests(folder)


@pytest.mark.parametrize("claim", ["in_force", "expect", "fails"])
def test_what_a_step_has_to_show_is_part_of_it(folder: Path, claim: str) -> None:
    step = "it-breaks" if claim == "fails" else "shaken"
    data = yaml.safe_load((folder / "entry.yaml").read_text("utf-8"))
    stated = {"log": "another text"} if claim == "fails" else {"size": "> 4"}
    assert data["steps"][step].get(claim) != stated
    before = digests(folder)
    data["steps"][step][claim] = stated
    (folder / "entry.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), "utf-8")
    after = digests(folder)
    assert {name for name in STEPS if before[name] != after[name]} == {step}


def test_a_digest_is_short_and_the_same_anywhere(folder: Path) -> None:
    """Records hold it: another length or spelling makes every record of the book stale."""
    found = digests(folder)
    assert found == digests(folder)
    assert all(re.fullmatch("[0-9a-f]{16}", digest) for digest in found.values())
    assert len(set(found.values())) == len(found)


def test_what_a_decorator_was_given_counts_and_its_defaults_do_not() -> None:
    given = _decorator(Step("looked", "detect", Needs(ranks=2, record_once="slow"), found=False))
    assert given == {"kind": "detect", "found": False, "needs": {"ranks": 2}}
