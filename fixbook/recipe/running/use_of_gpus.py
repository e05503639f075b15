"""How a step used the GPUs it was given: what is wrong there although it ended as it should."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.recipe.record.result import Objection
from fixbook.recipe.running.notes import allocated_on_gpu, shared_gpu
from fixbook.text import say

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.recipe.author.steps import Step

# What a GPU that stands in has found out, in any process; see `fixbook.recipe.helpers.gpu`.
_FOUND = re.compile(r"stand-in found: (.+)$", re.MULTILINE)


def misuses(step: Step, records: Path, log: str) -> list[Objection]:
    """Return what speaks against a step that ran on GPUs.

    Args:
        step: The step.
        records: What it has written down.
        log: Its output.
    """
    found = [say("on a card: {what}", what=what) for what in dict.fromkeys(_FOUND.findall(log))]
    if step.needs.on == "any":
        if not allocated_on_gpu(records):
            found.append(
                say("it ran on a GPU and allocated nothing there: what does not use device()?")
            )
        gpu = shared_gpu(records)
        if gpu is not None:
            found.append(
                say("two ranks used one GPU, cuda:{gpu}: what does not use device()?", gpu=str(gpu))
            )
    return [Objection("device", said) for said in found]
