"""Tools that are asked in a process of their own: other packages, or a process group."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.read import read_file
from fixbook.config.setting import UNKNOWN
from fixbook.gates.tool_checks import objections_to

if TYPE_CHECKING:
    from tests.config.fixtures import Fixture

HERE = Path(__file__).parent


def arguments(path: Path) -> dict[str, Any]:
    """Return the settings that our reader finds, for tools that take keyword arguments."""
    section = read_file(path).sections[0]
    return {
        key: setting.value
        for key, setting in section.settings.items()
        if "." not in key and setting.value is not UNKNOWN
    }


def openrlhf(_: Fixture, path: Path) -> str:
    return "\n".join(objections_to("openrlhf", [path.read_text("utf-8")])[0])


def ddp(_: Fixture, path: Path) -> str:
    """Train three steps of a small model under DDP with what the configuration says."""
    values = arguments(path)
    reentrant = values["gradient_checkpointing_kwargs"]["use_reentrant"]
    find_unused = values["ddp_find_unused_parameters"]
    command = [
        sys.executable,
        str(HERE / "checkpointing_under_ddp.py"),
        str(reentrant),
        str(find_unused),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.stderr if done.returncode else done.stdout
