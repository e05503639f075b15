"""A recipe's header is all that ``uv run`` needs, and takes fixbook from no index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_entry
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.problem import BookError
from fixbook.recipe.reading import digests_of, read_outline
from fixbook.recipe.reading.header import begun_alone, from_address, from_checkout, metadata
from fixbook.recipe.reading.pins import scripts, write_pins
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

ADDRESS = "https://example.org/book/wheels/fixbook-1-py3-none-any.whl"
BODY = 'print("fixbook")\n'
HEADER = """\
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0",
# ]
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "1.0"
# requires-dist = []
# ///
"""


def test_in_a_checkout_fixbook_is_the_checkout() -> None:
    new = from_checkout(HEADER + BODY)
    assert from_checkout(new) == new
    found = metadata(new) or {}
    assert found["tool"]["uv"]["sources"] == {"fixbook": {"path": "../..", "editable": True}}
    assert found["tool"]["uv"]["dependency-metadata"][0]["name"] == "axolotl"
    assert from_checkout(BODY) == BODY
    assert from_checkout(new.replace('"../.."', '"/somewhere"')) == new


def test_in_a_folder_of_its_own_fixbook_is_the_wheel_of_the_site() -> None:
    new = from_address(from_checkout(HEADER + BODY), ADDRESS)
    found = metadata(new) or {}
    assert found["dependencies"] == [f"fixbook @ {ADDRESS}", "torch==2.13.0"]
    assert "sources" not in found["tool"]["uv"]
    assert new.endswith(BODY), "only the header is written"


def test_a_recipe_run_alone_needs_only_what_its_steps_need(
    make_book: Callable[..., Book], tmp_path: Path
) -> None:
    item = make_book().get("widget-overflow")
    folder = tmp_path / "alone" / item.slug
    shutil.copytree(item.folder, folder)
    before = digests_of(load_entry(folder), read_outline(folder / "recipe.py"))
    text = item.recipe.read_text("utf-8")
    lacking = text.replace("\nfrom fixbook", "\nimport nowhere\nfrom fixbook", 1)
    assert lacking != text
    (folder / "recipe.py").write_text(begun_alone(lacking), "utf-8")
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, str(folder / "recipe.py")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert "In your environment" in ran.stdout, ran.stderr
    assert f"python {folder / 'recipe.py'} --show" in ran.stdout
    (folder / "recipe.py").write_text(begun_alone(text), "utf-8")
    assert digests_of(load_entry(folder), read_outline(folder / "recipe.py")) == before


def test_every_recipe_takes_fixbook_from_the_checkout() -> None:
    book = real_book()
    paths = scripts(book.root)
    assert len(paths) == len(book.entries)
    for path in paths:
        source = (metadata(path.read_text("utf-8")) or {})["tool"]["uv"]["sources"]["fixbook"]
        project = (path.parent / source["path"] / "pyproject.toml").read_text("utf-8")
        assert tomllib.loads(project)["project"]["name"] == "fixbook", path


def test_what_a_header_lacks_is_named(make_book: Callable[..., Book]) -> None:
    book = make_book()
    item = book.get("widget-overflow")
    gate = GATES["headers"]
    assert not list(gate(Reading(book))), "no requirements files, nothing to ask for"
    (book.root / "requirements.txt").write_text("PyYAML==6.0.3\ntorch==2.13.0\n", "utf-8")
    (source,) = gate(Reading(book))
    assert "does not take fixbook from the checkout" in source.what
    assert source.mend == "run 'scripts/write-pins'"
    assert write_pins([item.recipe], {}) == [item.recipe]
    assert not list(gate(Reading(book)))

    text = item.recipe.read_text("utf-8")
    needy = text.replace("def fill(", "import yaml\nNOT_IMPORTED = 'import torch'\ndef fill(")
    item.recipe.write_text(needy, "utf-8")
    (missing,) = gate(Reading(book))
    assert "imports pyyaml, which the header does not ask for" in missing.what
    assert missing.mend == 'add "pyyaml==6.0.3" to its dependencies'
    item.recipe.write_text(text.replace('["fixbook"]', "[]"), "utf-8")
    assert "its header does not ask for fixbook" in str(next(gate(Reading(book))))

    item.recipe.write_text(text, "utf-8")
    (item.folder / "proof_more.py").write_text(HEADER + BODY, "utf-8")
    (part,) = gate(Reading(book))
    assert part.where.endswith("proof_more.py")
    assert part.what == "has script metadata, and is not run by itself"


def test_what_a_step_brings_itself_is_not_missed(make_book: Callable[..., Book]) -> None:
    recipe = """
    @reproduce(versions=["PyYAML==5.1"])
    def it_breaks():
        import yaml
        raise SystemExit(yaml.__version__)
    """
    book = make_book(recipe=recipe, strict=False)
    (book.root / "requirements.txt").write_text("PyYAML==6.0.3\n", "utf-8")
    write_pins(scripts(book.root), {})
    assert not list(GATES["headers"](Reading(book)))


def test_a_header_that_is_no_requirement_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    step = "from fixbook.recipe import *\n@reproduce()\ndef it_breaks():\n    pass\n"
    recipe = tmp_path / "recipe.py"
    for header in ('["torch >> 2"]', "[torch]"):
        recipe.write_text(f"# /// script\n# dependencies = {header}\n# ///\n{step}", "utf-8")
        outline = read_outline(recipe)
        assert [*outline.steps] == ["it-breaks"]
        with pytest.raises(BookError, match="has wrong script metadata"):
            _ = outline.dependencies
    recipe.write_text(step, "utf-8")
    with pytest.raises(BookError, match="declares no dependencies"):
        read_outline(recipe)
