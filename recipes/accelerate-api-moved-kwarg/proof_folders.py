"""Where the logs go beside a ProjectConfiguration."""

from __future__ import annotations

from typing import Any

from failure import imported
from proof_names import logged

from fixbook.recipe import fix


@fix("own-code", control="logging-dir-given")
def in_project_config() -> dict[str, Any]:
    """The folder in the ProjectConfiguration; and as project_dir beside one, to no effect."""
    project_dir = logged("project_dir")["folder"]
    made, config = imported("Accelerator"), imported("ProjectConfiguration", "accelerate.utils")
    inside = made(project_config=config(project_dir="out", logging_dir="runs"))
    beside = made(project_dir="runs", project_config=config(project_dir="out"))
    return {
        "folder": inside.logging_dir,
        "beside": beside.logging_dir,
        "project_dir": project_dir,
    }
