"""Trainings whose optimizer DeepSpeed's Adam replaces, with the operator compiled."""

from __future__ import annotations

import os
from typing import Any

from failure import with_trainer
from proof_machine import machine
from proof_runs import join, used

from fixbook.recipe.helpers import tiny_llama


def replaced() -> dict[str, Any]:
    """Train one step with SGD, and one with RMSprop."""
    machine(compiler=True)
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join()
    sgd, rmsprop = (
        used(with_trainer(tiny_llama(), optim, {}, []))["optimizer"] for optim in ("sgd", "rmsprop")
    )
    return {"found": sgd == rmsprop == "DeepSpeedCPUAdam", "sgd": sgd, "rmsprop": rmsprop}
