"""No file outside of an entry's folder reaches a page, and an entry may be written by a program."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.gates.links import known_targets
from fixbook.gates.reading import Reading
from fixbook.index.build import rows_from
from fixbook.problem import BookError
from fixbook.text import i18n
from generator.view.library import load_library
from tests.real_book import real_book
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY, SLUG

if TYPE_CHECKING:
    from pathlib import Path

OUTSIDE = [
    "../../../x.yaml",
    "/etc/passwd",
    "configs/../../x.yaml",
    "./x.yaml",
    "a\\..\\x.yaml",
    "",
]


@pytest.fixture
def chinese() -> None:
    i18n.choose("zh")


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("place", ["before", "after", "log"])
def test_a_name_that_leaves_the_folder_is_refused(tmp_path: Path, name: str, place: str) -> None:
    entry: dict[str, Any] = copy.deepcopy(ENTRY)
    if place == "log":
        entry["logs"][0]["file"] = name
    else:
        entry["fixes"][0]["config"][0][place] = name
    with pytest.raises(BookError, match="must name a file below the entry's folder"):
        load_library(write_book(tmp_path, entry))


@pytest.mark.parametrize(
    "name", ["configs/after.html", "index.md", "configs/a<b>.yaml", "a'b.yaml"]
)
def test_a_download_is_a_configuration(tmp_path: Path, name: str) -> None:
    entry: dict[str, Any] = copy.deepcopy(ENTRY)
    entry["fixes"][0]["config"][0]["after"] = name
    with pytest.raises(BookError, match=r"entry\.yaml:\d+"):
        load_library(write_book(tmp_path, entry))


@pytest.mark.parametrize(
    "name", ["entry.yaml", "recipe.py", "logs/one.txt", "configs/before.yaml", "evidence/cpu.json"]
)
def test_a_link_out_of_an_entry_is_refused(tmp_path: Path, name: str) -> None:
    root = write_book(tmp_path / "book")
    path = root / "recipes" / SLUG / name
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    with pytest.raises(BookError, match="symbolic link that leads out") as raised:
        load_book(root)
    assert str(path) in str(raised.value)


@pytest.mark.usefixtures("chinese")
def test_a_folder_that_is_a_link_is_refused_in_chinese(tmp_path: Path) -> None:
    root = write_book(tmp_path / "book")
    folder = root / "recipes" / SLUG
    folder.rename(tmp_path / SLUG)
    folder.symlink_to(tmp_path / SLUG)
    with pytest.raises(BookError, match="符号链接"):
        load_book(root)


def test_a_link_within_an_entry_is_none_of_our_business(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    logs = root / "recipes" / SLUG / "logs"
    (logs / "one.txt").rename(logs / "real.txt")
    (logs / "one.txt").symlink_to("real.txt")
    assert SLUG in load_book(root).entries


@pytest.mark.parametrize("name", ["rule.yaml", "fails.yaml"])
def test_a_link_out_of_a_rule_is_refused(tmp_path: Path, name: str) -> None:
    root = write_book(tmp_path / "book")
    rule = next(path.parent for path in (book_root() / "rules").glob("*/rule.yaml"))
    folder = root / "rules" / rule.name
    folder.mkdir(parents=True)
    for path in rule.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    path = folder / name if (folder / name).exists() else next(folder.glob("fails.*"))
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    with pytest.raises(BookError, match="symbolic link that leads out"):
        load_book(root)


def test_a_name_that_is_no_address_is_refused(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    (root / "recipes" / SLUG).rename(root / "recipes" / "<b>")
    with pytest.raises(BookError, match="cannot be the address of a page"):
        load_book(root)


def test_an_entry_as_a_program_writes_it_is_the_same(tmp_path: Path) -> None:
    """As ``yaml.safe_dump`` does: items of lists in the first column, keys in their order."""
    real = real_book()
    item = next(one for one in real.entries.values() if one.entry.config_rules)
    folder = tmp_path / "recipes" / item.slug
    for path in item.folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            target = folder / path.relative_to(item.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    dumped = yaml.safe_dump(item.source.value, default_flow_style=False, sort_keys=True)
    assert "\n- " in dumped
    (folder / "entry.yaml").write_text(dumped, "utf-8")
    book = load_book(tmp_path)
    again = book.entries[item.slug]
    assert again.entry == item.entry
    rows, wanted = rows_from(book), rows_from(real)
    for part in ("titles", "fixes"):
        assert rows[part][item.slug] == wanted[part][item.slug]
    for rule in item.entry.config_rules:
        assert book.rules[rule.id].row() == real.rules[rule.id].row()
    lines = dumped.splitlines()
    assert lines[again.source.lines["config_rules", 0] - 1].startswith("- ")
    missing = {str(one.what) for one in known_targets(Reading(real)) if item.slug in one.where}
    assert {one.what for one in known_targets(Reading(book)) if item.slug in one.where} >= missing
