"""Where the logs go beside a ProjectConfiguration."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from failure import imported

from fixbook.recipe import fix, measure


@fix("own-code", control="logging-dir-given")
def in_project_config() -> dict[str, Any]:
    """The folder in the ProjectConfiguration; and as project_dir beside one, to no effect."""
    measure(accelerate=version("accelerate"))
    made, config = imported("Accelerator"), imported("ProjectConfiguration", "accelerate.utils")
    inside = made(project_config=config(project_dir="out", logging_dir="runs"))
    beside = made(project_dir="runs", project_config=config(project_dir="out"))
    return {"folder": inside.logging_dir, "beside": beside.logging_dir}
