"""A job that may start with fewer nodes, and does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import launch

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import beside, free_port, until

WORLD = Path("world")


def two_nodes(nodes: str) -> dict[str, Any]:
    """Launch on one node, and on the second after some seconds; tell how many began to train."""
    endpoint = f"127.0.0.1:{free_port()}"
    with beside(lambda: launch(nodes, endpoint)):
        until(WORLD.exists, 4)
        with beside(lambda: launch(nodes, endpoint)):
            until(WORLD.exists)
            world = int(WORLD.read_text("utf-8"))
    try:
        snippet("expect", world=world, expected=2)
    except RuntimeError:
        return {"found": True, "world": world}
    return {"found": False, "world": world}


@detect(found=True)
def starts_without_the_second() -> Any:
    """One node to two: it begins with the one that is there."""
    return two_nodes("1:2")


@detect(found=False, control="starts-without-the-second")
def waits_for_the_second() -> Any:
    """Two nodes: it waits."""
    return two_nodes("2")
