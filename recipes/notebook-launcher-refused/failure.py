"""A notebook that launches training by accelerate, and what it did before."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accelerate import Accelerator, notebook_launcher

from fixbook.recipe import snippet
from fixbook.recipe.helpers import free_port

if TYPE_CHECKING:
    from collections.abc import Callable


def make_accelerator() -> None:
    """Make an Accelerator in a cell of the notebook."""
    Accelerator()


def import_training_arguments() -> None:
    """Import what most notebooks import at their beginning; bitsandbytes comes along."""
    importlib.import_module("transformers.training_args")


def import_bitsandbytes() -> None:
    """Import bitsandbytes by itself."""
    importlib.import_module("bitsandbytes")


def nothing() -> None:
    """Do nothing before."""


def inside() -> None:
    """Do all of it in the training function, as the page does."""
    snippet("inside")["train"]()


def launch(
    before: Callable[[], None] = nothing, count: int | None = 2, train: Callable[[], None] = inside
) -> dict[str, Any]:
    """Run the cells before, launch; tell how many processes trained."""

    def trains() -> None:
        train()
        state = Accelerator().state
        Path(f"trained-{state.process_index}").touch()

    before()
    notebook_launcher(trains, num_processes=count, use_port=str(free_port()))
    trained = len(list(Path.cwd().glob("trained-*")))
    return {"found": trained < 2, "trained": trained}


def look(before: Callable[[], None] = nothing) -> dict[str, Any]:
    """Look, as the page does, before launching."""
    before()
    seen = snippet("look")
    return {
        "found": seen["made"] or seen["imported"],
        **{name: seen[name] for name in ("made", "imported", "used")},
    }
