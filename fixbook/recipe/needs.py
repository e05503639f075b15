"""What a step needs and this machine lacks."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from fixbook.environment import Machine, gpus, installed_version
from fixbook.recipe.steps import DEVICES

if TYPE_CHECKING:
    from fixbook.recipe.steps import Needs


def unmet(needs: Needs, machine: Machine) -> str | None:
    """Say why a step cannot run here, or return None if it can.

    Args:
        needs: The step's requirements.
        machine: This machine.
    """
    missing = [name for name in needs.packages if installed_version(name) is None]
    if missing:
        return f"needs {', '.join(missing)}: install with 'pip install {' '.join(missing)}'"
    absent = [name for name in needs.programs if shutil.which(name) is None]
    if absent:
        return f"needs {', '.join(absent)} on the path"
    if needs.on == "cpu":
        return None
    cuda = DEVICES.fullmatch(needs.on)
    wanted = int((cuda and cuda[1]) or 1)
    if len(machine.gpus) < wanted:
        gpu = f"{wanted} NVIDIA GPU{'s' if wanted > 1 else ''}"
        return f"needs {gpu}, this machine has {len(machine.gpus)}"
    free = min(gpu.free_gib for gpu in gpus())
    if free < needs.gpu_memory_gib:
        return f"needs {needs.gpu_memory_gib:g} GiB of free GPU memory, {free:g} GiB are free"
    return None
