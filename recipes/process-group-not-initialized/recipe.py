"""Code that asks for its process group where there is none: not launched, too early, too late."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch.distributed as dist
from failure import finish, load, rank_by_environment, train
from proof_batchnorm import batch

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet, snippet_text

# Both scripts destroy their group: a run that left it to the interpreter's end died there once,
# with SIGABRT and `terminate called without an active exception`.
SCRIPT = """from failure import train
from torch.distributed import destroy_process_group
sampler = train()
{compare}
print("read", len(sampler), "apart", apart, flush=True)
destroy_process_group()
"""

MEAN = """import torch
from accelerate import PartialState
from torch import distributed as dist
state = PartialState(cpu=True)
loss = torch.tensor(3.0)
{reduce}
print("read", int(loss), "apart", state.num_processes > 1, flush=True)
state.destroy_process_group()
"""
ACCELERATE = (
    "accelerate launch --cpu --num_processes 1 --num_machines 1 --mixed_precision no"
    " --dynamo_backend no train.py"
)


def started(command: str, script: str = "") -> dict[str, Any]:
    """Start a training script; say what it read, and what the comparison of the page says."""
    script = script or SCRIPT.format(compare=snippet_text("compare"))
    Path("train.py").write_text(script, encoding="utf-8")
    tools, folder = Path(sys.executable).parent, Path(__file__).parent
    own = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        ["bash", "-c", command], env=own, check=True, stdout=subprocess.PIPE, text=True
    )
    words = done.stdout.split()
    return {"read": int(words[words.index("read") + 1]), "found": words[-1] == "True"}


def place(*, environment: bool = False) -> dict[str, Any]:
    """Ask torch which of how many this is, or run what the page offers."""
    known = {"rank": dist.get_rank, "world": dist.get_world_size}
    if environment:
        return {name: snippet("environment")[name] for name in known}
    return {name: ask() for name, ask in known.items()}


def trained(*, compare: bool = False, **changes: Any) -> dict[str, Any]:
    """Train; say how much each rank read, and whether the page's comparison finds a difference."""
    sampler = train(**changes)
    found = {"found": snippet("compare", sampler=sampler)["apart"]} if compare else {}
    return {"read": len(sampler), "world": dist.get_world_size(), **found}


@reproduce()
def plain_python() -> Any:
    """No launcher, so no RANK, so no group."""
    return started("python train.py")


@reproduce()
def mean_by_accelerate() -> Any:
    """One process, of which accelerate makes no group, and a mean over all."""
    return started(ACCELERATE, MEAN.format(reduce="dist.all_reduce(loss)"))


@reproduce()
def rank_asked_without_a_group() -> Any:
    """What a script for one process or several asks first."""
    return place()


@reproduce(ranks=2)
def sampler_too_early() -> Any:
    """Launched, but the sampler is made before the group."""
    return trained(early=True)


@reproduce(ranks=2)
def rank_asked_too_late() -> Any:
    """The group is destroyed, and then rank 0 is to save."""
    return {"saved": finish()}


@reproduce(ranks=2)
def rank_asked_in_a_worker() -> Any:
    """A spawned worker begins without a group."""
    return {"rank": load()}


@reproduce(ranks=2)
def group_forgotten() -> Any:
    """Launched, but nothing starts a group."""
    return trained(group="forgotten")


@detect(found=True, ranks=2)
def sampler_guarded() -> Any:
    """Made before the group, with a guard: it runs, and each process is given everything."""
    return trained(compare=True, early=True, guarded=True)


@detect(found=True, ranks=2)
def group_of_one() -> Any:
    """Two were started, and each works alone."""
    return trained(compare=True, group="alone")


@detect(found=False, control="group-of-one", ranks=2)
def group_of_two() -> Any:
    """Two were started, and work as two."""
    return trained(compare=True, group="launched")


@fix("launch-it", control="plain-python")
def launched() -> Any:
    """The command of the page."""
    return started(snippet_text("launch"))


@fix("launch-it", control="mean-by-accelerate")
def mean_launched() -> Any:
    """The command of the page in place of accelerate's."""
    return started(snippet_text("launch"), MEAN.format(reduce="dist.all_reduce(loss)"))


@fix("guard", control="mean-by-accelerate")
def mean_guarded() -> Any:
    """The lines of the page."""
    return started(ACCELERATE, MEAN.format(reduce=snippet_text("guard")))


@reproduce()
def norm_of_an_older_torch() -> Any:
    """A layer that asks for the group."""
    return batch()


@fix("batch-norm", control="norm-of-an-older-torch")
def norm_of_one_process() -> Any:
    """The lines of the page."""
    return batch(page=True)


@fix("environment", control="rank-asked-without-a-group")
def rank_asked_of_the_environment() -> Any:
    """It needs no group."""
    return place(environment=True)


@fix("first-and-last", control="sampler-too-early", ranks=2)
def sampler_after_the_group() -> Any:
    """The group first."""
    return trained(early=False)


@fix("first-and-last", control="rank-asked-too-late", ranks=2)
def rank_asked_before_the_end() -> Any:
    """Save first."""
    return {"saved": finish(destroy_last=True)}


@fix("environment", control="rank-asked-in-a-worker", ranks=2)
def worker_by_environment() -> Any:
    """A worker has the environment of its rank."""
    return {"rank": load(ask=rank_by_environment)}


@non_fix("group-of-one", control="group-forgotten", ranks=2)
def each_rank_for_itself() -> Any:
    """It runs, and each process trains on everything."""
    return trained(group="alone")


if __name__ == "__main__":
    main(__file__)
