"""What a step needs and this machine lacks."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.environment import Machine, gpus, installed_version
from fixbook.recipe.record.missing_name import needs_package
from fixbook.recipe.running.devices import device_of, gpus_wanted
from fixbook.text import Sentence, say
from fixbook.versions import requirement, within

if TYPE_CHECKING:
    from fixbook.recipe.author.steps import Needs


def unmet_need(needs: Needs, machine: Machine) -> Sentence | None:
    """Say why a step cannot run here, or return None if it can.

    Args:
        needs: The step's requirements.
        machine: This machine.
    """
    lacking = _unmet_package(needs)
    if lacking:
        return lacking
    # Libraries install programs beside the interpreter, which may not be on the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    absent = [name for name in needs.programs if shutil.which(name, path=path) is None]
    if absent:
        return say("needs {programs} on the path", programs=", ".join(absent))
    if device_of(needs, len(machine.gpus)) == "cpu":
        return None
    wanted = gpus_wanted(needs)
    if len(machine.gpus) < wanted:
        here = len(machine.gpus)
        cards = say("1 NVIDIA GPU") if wanted == 1 else say("{n} NVIDIA GPUs", n=wanted)
        return say("needs {gpus}, this machine has {here}", gpus=cards, here=here)
    free = min(gpu.free_gib for gpu in gpus())
    if free < needs.gpu_memory_gib:
        return say(
            "needs {wanted:g} GiB of free GPU memory, {free:g} GiB are free",
            wanted=needs.gpu_memory_gib,
            free=free,
        )
    return None


def _unmet_package(needs: Needs) -> Sentence | None:
    asked = [(one, installed_version(one.name)) for one in map(requirement, needs.packages)]
    missing = [one.name for one, here in asked if here is None]
    if missing:
        return needs_package(*dict.fromkeys(missing))
    for one, here in asked:
        if here and not within(here, str(one.specifier)):
            return say("needs {requirement}, {here} is here", requirement=str(one), here=here)
    return None
