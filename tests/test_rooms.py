"""Imports go one way, from room to room, and into another room by its door."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
# Each room may use those before it.
ROOMS = {
    "fixbook": (
        *("text", "log", "run_files", "book", "style", "recipe", "article"),
        *(
            "index",
            "installed",
            "config",
            "fit",
            "machine",
            "trial",
            "api",
            "watch",
            "cluster",
            "triage",
            "agent",
            "gates",
            "bundle",
            "cli",
        ),
    ),
    "fixbook.recipe": ("author", "helpers", "process", "reading", "record", "running"),
    "generator": ("text", "view", "pages", "browser", "exports", "site"),
}
# Rooms that others enter by their door alone. What a step's processes run has none.
DOORS = {
    "fixbook": {"text", "book", "style"},
    "fixbook.recipe": {"author", "helpers", "process", "reading", "record", "running"},
    "generator": set(),
}
CLOSED = {"fixbook.recipe.process"}
PROGRAMS = {ROOT / "fixbook/bundle/run.py"}  # run where the bundle was carried to
OUTSIDE = ("fixbook", "generator", "bench", "scripts")


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a source imports, for type checkers only, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def against_the_arrows(house: str, room: str, source: str) -> list[str]:
    """Name the modules that a module of a room may not import."""
    above = ROOMS[house][ROOMS[house].index(room) + 1 :]
    return [name for name in imported(source) if _room(house, name) in above]


def past_the_door(house: str, source: str, room: str = "") -> list[str]:
    """Name the modules inside of other rooms that a module imports.

    Args:
        house: The package whose rooms are asked for.
        source: Its source.
        room: The room that it stands in, if it does in one.
    """
    found = []
    for name in imported(source):
        other = _room(house, name)
        inside = name.count(".") > house.count(".") + 1 or name in CLOSED
        if other in DOORS[house] and other != room and inside:
            found.append(name)
    return found


def _room(house: str, module: str) -> str:
    inside = module.startswith(f"{house}.")
    return module.removeprefix(f"{house}.").partition(".")[0] if inside else ""


def _sources(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(set(folder.rglob("*.py")) - PROGRAMS):
        yield path, path.read_text("utf-8")


@pytest.mark.parametrize(
    ("house", "room"), [(house, room) for house, rooms in ROOMS.items() for room in rooms]
)
def test_a_room_uses_only_rooms_before_it(house: str, room: str) -> None:
    folder = ROOT / house.replace(".", "/") / room
    found = {str(path): against_the_arrows(house, room, text) for path, text in _sources(folder)}
    assert found
    assert not {path: names for path, names in found.items() if names}


@pytest.mark.parametrize("package", OUTSIDE)
@pytest.mark.parametrize("house", ROOMS)
def test_others_come_in_by_the_door(house: str, package: str) -> None:
    rooms = ROOT / house.replace(".", "/")
    found = {}
    for path, text in _sources(ROOT / package):
        parts = path.relative_to(rooms).parts if path.is_relative_to(rooms) else ("",)
        inside = parts[0] if len(parts) > 1 else ""
        neighbours = house == "fixbook.recipe" and inside  # each other's modules, down the arrows
        if not neighbours and (names := past_the_door(house, text, inside)):
            found[str(path)] = names
    assert not found


def test_what_points_the_wrong_way_is_named() -> None:
    source = "from fixbook.recipe.running import run_jobs\nimport fixbook.recipe.author\n"
    assert against_the_arrows("fixbook.recipe", "record", source) == ["fixbook.recipe.running"]
    assert against_the_arrows("fixbook", "log", "from fixbook.book import Entry\n")
    assert against_the_arrows("generator", "view", "import generator.pages.nav\n")
    assert past_the_door("fixbook.recipe", "from fixbook.recipe.record.seal import seal\n")
    assert past_the_door("fixbook.recipe", "from fixbook.recipe.process import worker\n")
    assert not past_the_door("fixbook", "from fixbook.book import Entry\n")
