"""DeepSpeed's CPU Adam is compiled when a run first needs it; what a failed build leaves."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import json
from typing import Any

import torch.distributed as dist
from failure import train
from proof_machine import log, machine, rank_0_first
from proof_prebuilt import prebuilt
from proof_replaced import replaced
from proof_runs import join, looked, run, sgd, trainer

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet_text

# The command of the page imports it; without it, that is all it says.
THERE = ["deepspeed>=0.9"]

ONCE = "compiling the operator takes about a minute"
RANKS = "two ranks wait for a build that takes a second to fail"
PIP = "it installs DeepSpeed"
SLOW_S = 1500.0
SECTION = {"type": "AdamW", "params": {"lr": "auto", "weight_decay": "auto"}}
KEPT = {"zero_force_ds_cpu_optimizer": False}


def of_file(**written: Any) -> dict[str, Any]:
    """Train by a file with a section, or without."""
    measure(section="optimizer" in written)
    return dict(trainer(**written))


@reproduce(on="cpu")
def no_compiler() -> Any:
    """The last lines that a training leaves on a machine without a compiler."""
    return run()


@reproduce(on="cpu", versions=["deepspeed==0.19.7"], record_once="an overlay of another release")
def before_0_19_8() -> Any:
    """The same, in the words of the release before."""
    return run()


@reproduce(on="cpu")
def trainer_without_section() -> Any:
    """The file names no optimizer: accelerate takes this one for the Trainer's."""
    return trainer()


@reproduce(on="cpu")
def trainer_with_section() -> Any:
    """The file names it."""
    return of_file(optimizer=SECTION)


@reproduce(on="cpu", ranks=2, programs=["c++"], record_once=RANKS)
def rank_that_waited() -> Any:
    """Rank 0 compiles and fails; rank 1 waited for it, and finds no library."""
    machine(fails=True)
    join()
    rank = dist.get_rank()
    rank_0_first(rank)
    try:
        with log(f"rank{rank}.log", last=0 if rank else 1):
            train()
    finally:
        dist.barrier()  # torchrun would end the other


@fix(
    "compiler", control="no-compiler", on="cpu", programs=["c++"], record_once=ONCE, timeout_s=600.0
)
def compiler_installed() -> Any:
    """It compiles, and takes the step that torch's AdamW takes."""
    return run(compiler=True)


@fix("torch-adam", control="no-compiler", on="cpu")
def torch_adam() -> Any:
    """The AdamW of torch, and nothing is compiled."""
    return run(torch_adam=True)


@fix("torch-adam", control="trainer-without-section", on="cpu")
def torch_adam_in_the_file() -> Any:
    """The Trainer's file names it."""
    return trainer(**json.loads(snippet_text("section")))


@fix("own-optimizer", control="trainer-without-section", on="cpu")
def own_optimizer() -> Any:
    """The Trainer's own optimizer is kept."""
    return trainer(**KEPT)


@fix("prebuild", control="no-compiler", programs=["c++"], record_once=ONCE, timeout_s=SLOW_S)
def prebuilt_where_there_is_a_compiler() -> Any:
    """Compiled while it is installed, and used without a compiler."""
    return prebuilt(cached=False)


@non_fix(
    "prebuild-cached", control="no-compiler", programs=["c++"], record_once=PIP, timeout_s=SLOW_S
)
def wheel_from_the_cache() -> Any:
    """Pip has a wheel of this release already, without the operator."""
    return prebuilt(cached=True)


@non_fix("delete-section", control="trainer-with-section", on="cpu")
def section_deleted() -> Any:
    """Accelerate names the same optimizer."""
    return of_file()


@non_fix("clear-cache", control="no-compiler", on="cpu")
def cache_cleared() -> Any:
    """The next run compiles again, with the same compiler."""
    return run(clear=True)


@non_fix("skip-check", control="no-compiler", on="cpu")
def check_skipped() -> Any:
    """It is about versions of CUDA."""
    return run(skip=True)


@detect(found=True, on="cpu", needs=THERE)
def built_without_a_compiler() -> Any:
    """The build alone, and its first error."""
    machine()
    return looked()


@detect(
    found=False,
    control="built-without-a-compiler",
    on="cpu",
    programs=["c++"],
    record_once=ONCE,
    timeout_s=600.0,
    needs=THERE,
)
def built_with_a_compiler() -> Any:
    """The same command where it works."""
    machine(compiler=True)
    return looked()


@detect(found=True, on="cpu", programs=["c++"], record_once=ONCE, timeout_s=600.0)
def sgd_trained() -> Any:
    """Two optimizers are asked for, and DeepSpeed's Adam trains."""
    return replaced()


@detect(found=True, on="cpu")
def sgd_replaced() -> Any:
    """SGD is asked for, and DeepSpeed's Adam trains."""
    return sgd()


@detect(found=False, control="sgd-replaced", on="cpu")
def sgd_kept() -> Any:
    """SGD trains."""
    return sgd(**KEPT)


if __name__ == "__main__":
    main(__file__)
