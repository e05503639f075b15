"""Running steps: what a machine has, in which order, from which process, with which releases."""

from typing import TYPE_CHECKING

from fixbook.door import door
from fixbook.recipe.running.sizes import sizes

if TYPE_CHECKING:
    from fixbook.recipe.running.ahead import begun_early
    from fixbook.recipe.running.budget import Budget
    from fixbook.recipe.running.capacity import usable_cores
    from fixbook.recipe.running.devices import device_of, gpus_wanted
    from fixbook.recipe.running.jobs import begun, ended_by_signals, run_jobs
    from fixbook.recipe.running.needs import unmet_need
    from fixbook.recipe.running.overlays import has_overlay, missing_releases, overlay
    from fixbook.recipe.running.runner import run_step
    from fixbook.recipe.running.schedule import (
        Job,
        Remaining,
        expected_seconds,
        in_order,
        shard,
        unhindered_seconds,
    )
    from fixbook.recipe.running.selection import changed_steps, stale_here, steps_run_once
    from fixbook.recipe.running.sizes import SIZES_FILE
    from fixbook.recipe.running.stand_in import places as install_stand_in
    from fixbook.recipe.running.stand_in import releases as stand_in_releases
    from fixbook.recipe.running.stand_in import state_of as stand_in_state
    from fixbook.recipe.running.warm_parents import WarmParents
    from fixbook.recipe.running.worth import by_entry, by_worth
else:
    __getattr__ = door(__name__)

__all__ = [
    "SIZES_FILE",
    "Budget",
    "Job",
    "Remaining",
    "WarmParents",
    "begun",
    "begun_early",
    "by_entry",
    "by_worth",
    "changed_steps",
    "device_of",
    "ended_by_signals",
    "expected_seconds",
    "gpus_wanted",
    "has_overlay",
    "in_order",
    "install_stand_in",
    "missing_releases",
    "overlay",
    "run_jobs",
    "run_step",
    "shard",
    "sizes",
    "stale_here",
    "stand_in_releases",
    "stand_in_state",
    "steps_run_once",
    "unhindered_seconds",
    "unmet_need",
    "usable_cores",
]
