"""Imports go one way, from room to room, and into another room by its door."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
RECIPE = "fixbook.recipe"
# Each room may use those before it.
ROOMS = ("author", "helpers", "process", "reading", "record", "running")
DOORS = {RECIPE, *(f"{RECIPE}.{room}" for room in ROOMS if room != "process")}
OUTSIDE = ("fixbook", "generator", "bench", "scripts")


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a source imports, for type checkers only, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def against_the_arrows(room: str, source: str) -> list[str]:
    """Name the modules that a module of a room may not import."""
    above = ROOMS[ROOMS.index(room) + 1 :]
    return [name for name in imported(source) if name.startswith(RECIPE) and _room(name) in above]


def past_the_door(source: str) -> list[str]:
    """Name the modules inside of rooms that a module outside imports."""
    return [name for name in imported(source) if name.startswith(RECIPE) and name not in DOORS]


def _room(module: str) -> str:
    return module.removeprefix(RECIPE).lstrip(".").partition(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_only_rooms_before_it(room: str) -> None:
    files = sorted((ROOT / "fixbook/recipe" / room).rglob("*.py"))
    assert files
    found = {str(path): against_the_arrows(room, path.read_text("utf-8")) for path in files}
    assert not {path: names for path, names in found.items() if names}


@pytest.mark.parametrize("package", OUTSIDE)
def test_others_come_in_by_the_door(package: str) -> None:
    files = [
        path
        for path in (ROOT / package).rglob("*.py")
        if not path.is_relative_to(ROOT / "fixbook/recipe")
    ]
    found = {str(path): past_the_door(path.read_text("utf-8")) for path in files}
    assert not {path: names for path, names in found.items() if names}


def test_what_points_the_wrong_way_is_named() -> None:
    source = "from fixbook.recipe.running import run_jobs\nimport fixbook.recipe.author\n"
    assert against_the_arrows("record", source) == ["fixbook.recipe.running"]
    assert past_the_door("from fixbook.recipe.record.seal import seal\n") == [
        "fixbook.recipe.record.seal"
    ]
