"""A rank, or a script, asks for a GPU by a number that this process does not have."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

import proof_driver  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import choose
from proof_launch import launch

from fixbook.recipe import detect, fix, main, reproduce, snippet, snippet_text

CUDA_BUILD: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "import_first": "proof_driver",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}
TWO_GPUS: dict[str, Any] = {"env": {"STAND_IN_GPUS": "2"}}
SECOND_RANK: dict[str, Any] = {"env": {"STAND_IN_GPUS": "2", "LOCAL_RANK": "1"}}
SECOND_OF_SLURM: dict[str, Any] = {"env": {"STAND_IN_GPUS": "2", "SLURM_LOCALID": "1"}}
LAST_TWO: dict[str, Any] = {"env": {"STAND_IN_GPUS": "4", "CUDA_VISIBLE_DEVICES": "2,3"}}
ONE_OF_TWO: dict[str, Any] = {
    "env": {"STAND_IN_GPUS": "2", "CUDA_VISIBLE_DEVICES": "1", "LOCAL_RANK": "1"}
}


def ask(local_rank: int) -> dict[str, Any]:
    """Run the page's check as a rank does."""
    os.environ["LOCAL_RANK"] = str(local_rank)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("enough-gpus")
    said = printed.getvalue().strip()
    rank, *_visible, gpus = said.split()
    return {"found": int(rank) >= int(gpus), "said": said}


def of_rank(*, own: bool = False) -> dict[str, Any]:
    """Choose as a training script does, or by the page's lines."""
    if not own:
        return choose(int(os.environ["LOCAL_RANK"]))
    snippet("own")
    return {"device": f"cuda:{torch.cuda.current_device()}"}


def places(ranks: int) -> dict[str, Any]:
    """Let each rank choose, with the number wrapped around; say where they are."""
    chosen = [choose(rank, wrap=True)["device"] for rank in range(ranks)]
    return {"found": len(set(chosen)) < ranks, "chosen": chosen}


@reproduce(**CUDA_BUILD | TWO_GPUS)
def four_ranks_on_two_gpus() -> dict[str, Any]:
    """More processes than GPUs."""
    return launch("torchrun --nproc-per-node=4 train.py")


@reproduce(**CUDA_BUILD | LAST_TWO)
def number_of_the_machine() -> dict[str, Any]:
    """GPU 2 of the machine is cuda:0 once 2 and 3 alone are visible."""
    return choose(2)


@reproduce(**CUDA_BUILD | ONE_OF_TWO)
def second_rank_sees_one_gpu() -> dict[str, Any]:
    """Slurm or Ray shows each process its own GPU alone."""
    return of_rank()


@reproduce(**CUDA_BUILD | TWO_GPUS)
def properties_of_the_third() -> dict[str, Any]:
    """As DataParallel asks for them, for every GPU it is given."""
    return {"name": torch.cuda.get_device_properties(2).name}


@reproduce(on="cuda")
def one_too_many_on_a_gpu() -> dict[str, Any]:
    """The same with a real driver."""
    return choose(torch.cuda.device_count())


@detect(found=True, **CUDA_BUILD | TWO_GPUS)
def asks_as_the_third_rank() -> dict[str, Any]:
    """A number without a GPU."""
    return ask(2)


@detect(found=True, **CUDA_BUILD | ONE_OF_TWO)
def asks_where_one_gpu_is_seen() -> dict[str, Any]:
    """A GPU of its own, by another number."""
    return ask(1)


@detect(found=False, control="asks-as-the-third-rank", **CUDA_BUILD | TWO_GPUS)
def asks_as_the_second_rank() -> dict[str, Any]:
    """There is a GPU for it."""
    return ask(1)


@fix("a-gpu-for-each-rank", control="four-ranks-on-two-gpus", **CUDA_BUILD | TWO_GPUS)
def a_rank_for_each_gpu() -> dict[str, Any]:
    """Torchrun counts the GPUs."""
    return launch(snippet_text("launch"))


@fix("count-from-zero", control="number-of-the-machine", **CUDA_BUILD | LAST_TWO)
def first_of_the_visible() -> dict[str, Any]:
    """GPU 2 of the machine by the number it has here."""
    return choose(0)


@fix("own-gpu", control="second-rank-sees-one-gpu", **CUDA_BUILD | ONE_OF_TWO)
def the_gpu_of_its_own() -> dict[str, Any]:
    """The only GPU is number 0."""
    return of_rank(own=True)


@fix("own-gpu", control="second-rank-sees-one-gpu", **CUDA_BUILD | SECOND_RANK)
def rank_where_all_are_seen() -> dict[str, Any]:
    """The same lines where a process sees the GPUs of all."""
    return of_rank(own=True)


@fix("own-gpu", control="second-rank-sees-one-gpu", **CUDA_BUILD | SECOND_OF_SLURM)
def local_id_of_slurm() -> dict[str, Any]:
    """The same lines where srun alone has numbered the processes."""
    return of_rank(own=True)


@detect(found=True, **CUDA_BUILD | TWO_GPUS)
def four_ranks_wrapped() -> dict[str, Any]:
    """Four ranks on two GPUs, and nothing is raised."""
    return places(4)


@detect(found=False, control="four-ranks-wrapped", **CUDA_BUILD | TWO_GPUS)
def two_ranks_wrapped() -> dict[str, Any]:
    """As many ranks as GPUs."""
    return places(2)


if __name__ == "__main__":
    main(__file__)
