"""Save on some ranks, and resume on those of the step: what the steps do and measure."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import deepspeed
import torch
from deepspeed.checkpoint import ds_to_universal
from failure import build, far, join, save, train
from proof_trainer import options

from fixbook.recipe import measure, run_snippet, snippet


def start(*, stage: int = 2, saved_on: int = 2, elastic: bool = False, convert: str = "") -> None:
    """Let ``saved_on`` processes save, convert what they saved, and join the ranks of the step."""
    # Not compiled here: what speeds up collectives in shared memory, and changes no result.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if rank == 0:
        processes: Any = torch.multiprocessing  # its functions have no types
        arguments = saved_on, stage, elastic
        processes.start_processes(save, arguments, nprocs=saved_on, start_method="fork")
    if convert == "printed":
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        run_snippet("convert", env={"PATH": path}).check_returncode()
    elif convert == "bare":
        ds_to_universal.main(options("saved/global_step2"))
    measure(world=world)
    join(rank, world, "resuming")


def run(
    *, stage: int = 2, elastic: bool = False, convert: str = "", states: bool = True, **how: Any
) -> dict[str, Any]:
    """Resume on the ranks of this step, train on, and compare with the run that went on."""
    start(stage=stage, elastic=elastic, convert=convert, **how)
    engine = build(stage, elastic=elastic, universal=bool(convert))
    measure(elastic=engine.zero_elastic_checkpoint(), batch=engine.train_batch_size())
    measure(found=not snippet("saved-ranks")["fits"](engine, "saved"))
    if states:
        engine.load_checkpoint("saved")
    else:
        snippet("weights-only", engine=engine, folder="saved")
    at, after, batch = torch.load("known.pt")
    loaded = far(engine, at)
    train(engine, 2)
    return {"loaded_off": loaded, "off_by": far(engine, after), "saved_batch": batch}


def look() -> dict[str, Any]:
    """Read off the files how many ranks saved, before anything is loaded."""
    start()
    page = snippet("saved-ranks")
    return {"saved": page["saved_ranks"]("saved"), "found": not page["fits"](build(2), "saved")}
