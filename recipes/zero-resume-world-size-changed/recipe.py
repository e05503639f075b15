"""A ZeRO checkpoint of two ranks, loaded by one; converted; without the optimizer's state."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "deepspeed==0.19.8", "transformers==5.23.0",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import deepspeed
import torch
from deepspeed.checkpoint import ds_to_universal
from failure import build, far, join, resume, save, train
from proof_trainer import options, resumed

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet, snippet


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
    resume(engine, "saved", states=states)
    at, after, batch = torch.load("known.pt")
    loaded = far(engine, at)
    train(engine, 2)
    return {"loaded_off": loaded, "off_by": far(engine, after), "saved_batch": batch}


def look() -> dict[str, Any]:
    """Read off the files how many ranks saved, before anything is loaded."""
    start()
    saved = snippet("saved-ranks")["saved_ranks"]("saved")
    return {"saved": saved, "found": saved != int(os.environ["WORLD_SIZE"])}


@reproduce(on="cpu")
def fewer() -> Any:
    """Saved by two ranks, loaded by one."""
    return run()


@reproduce(on="cpu")
def fewer_zero_3() -> Any:
    """The same under ZeRO-3."""
    return run(stage=3)


@reproduce(on="cpu", ranks=2)
def more() -> Any:
    """Saved by one, loaded by two."""
    return run(saved_on=1)


@fix("convert", control="fewer", on="cpu")
def converted() -> Any:
    """The state is cut anew for one rank."""
    return run(convert="printed")


@reproduce(on="cpu")
def without_the_flag() -> Any:
    """The same conversion without its last option."""
    return run(convert="bare")


@fix("convert", control="fewer-zero-3", on="cpu")
def converted_zero_3() -> Any:
    """Under ZeRO-3 that option is not needed."""
    return run(stage=3, convert="bare")


@fix("same-number", control="fewer", on="cpu", ranks=2)
def same_number() -> Any:
    """Two ranks load what two ranks saved."""
    return run()


@fix("weights-only", control="fewer", on="cpu")
def weights_only() -> Any:
    """Adam starts anew."""
    return run(states=False)


@fix("weights-only", control="fewer-zero-3", on="cpu")
def weights_only_zero_3() -> Any:
    """The weights come from the optimizer's files."""
    return run(stage=3, states=False)


@non_fix("elastic", control="fewer", on="cpu")
def elastic() -> Any:
    """Saved and loaded with the setting."""
    return run(elastic=True)


@reproduce(on="cpu")
def not_converted() -> Any:
    """The setting, and no conversion."""
    return run(convert="no")


def with_trainer(**how: Any) -> Any:
    """Let the Trainer save and resume."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    return resumed(**how)


@reproduce(on="cpu")
def trainer_fewer() -> Any:
    """The Trainer, with the checkpoint as it is."""
    return with_trainer(convert=False)


@fix("convert", control="trainer-fewer", on="cpu")
def trainer_converted() -> Any:
    """The Trainer, with the one converted."""
    return with_trainer(convert=True)


@detect(found=True, on="cpu")
def counted_by_one() -> Any:
    """One rank is about to load what two saved."""
    return look()


@detect(found=False, control="counted-by-one", on="cpu", ranks=2)
def counted_by_two() -> Any:
    """Two are."""
    return look()


if __name__ == "__main__":
    main(__file__)
