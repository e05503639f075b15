"""The page that a newcomer reads first: short, alike in both languages, and its code runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.text import LANGS
from generator.text.page_text import length
from tests.test_prove import fixbook

if TYPE_CHECKING:
    from fixbook.text import Lang

ROOT = Path(__file__).resolve().parent.parent
PAGES = {lang: (ROOT / f"docs/{lang}/first-entry.md").read_text("utf-8") for lang in LANGS}
MOST = {"en": 800, "zh": 1300}
HEADER = """\
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch"]
# ///
"""


def _blocks(page: str) -> list[str]:
    return re.findall(r"(?s)```(?:text|python|yaml)\n(.*?)```", page)


@pytest.mark.parametrize("lang", LANGS)
def test_it_is_short(lang: Lang) -> None:
    assert length(PAGES[lang].partition("---\n\n")[2], lang) <= MOST[lang]


def test_both_languages_show_the_same_code() -> None:
    assert _blocks(PAGES["zh"]) == _blocks(PAGES["en"])


@pytest.mark.recipes
def test_its_code_runs_as_printed(tmp_path: Path) -> None:
    log, failure, recipe, steps = _blocks(PAGES["en"])
    (tmp_path / "train.log").write_text(log, "utf-8")
    for name in ("recipes", "rules", "symptoms"):
        (tmp_path / name).mkdir()
    slug = "integer-needs-gradient"
    made = fixbook(tmp_path, "new", slug, "--log", str(tmp_path / "train.log"))
    assert made.returncode == 0, made.stderr
    folder = tmp_path / "recipes" / slug
    (folder / "failure.py").write_text(failure, "utf-8")
    (folder / "recipe.py").write_text(f'"""It."""\n{HEADER}{recipe}', "utf-8")
    entry = (folder / "entry.yaml").read_text("utf-8")
    begin, end = entry.index("\nsteps:\n") + 1, entry.index("logs:\n")
    entry = entry[:begin] + steps + entry[end:]
    for old, new in (
        ("[it-breaks]", "[integers]"),
        ("step:it-breaks", "step:integers"),
        ("step:tried-again", "step:default-set"),
        ("id: cut-it", "id: use-floats"),
        ("id: try-again", "id: default-dtype"),
        ("{{cut.size}}", "{{floats.gradient}}"),
        ("[measured-where-it-fails, measured-where-it-works]", "[integers, floats]"),
    ):
        assert old in entry, old
        entry = entry.replace(old, new)
    (folder / "entry.yaml").write_text(entry, "utf-8")
    answer = fixbook(tmp_path, "verify", slug)
    assert answer.returncode == 0, answer.stdout
    assert "3 passed, 0 failed" in answer.stderr
