"""A rank, or a script, asks for a GPU by a number that this process does not have."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import Any

import proof_driver  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import choose

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet

CUDA_BUILD: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "import_first": "proof_driver",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}
TWO_GPUS: dict[str, Any] = {"env": {"STAND_IN_GPUS": "2"}}
FOUR_NAMED: dict[str, Any] = {"env": {"STAND_IN_GPUS": "2", "CUDA_VISIBLE_DEVICES": "0,1,2,3"}}
LAST_TWO: dict[str, Any] = {"env": {"STAND_IN_GPUS": "4", "CUDA_VISIBLE_DEVICES": "2,3"}}


def run(local_rank: int, **how: bool) -> dict[str, Any]:
    """Choose the GPU of a rank; say which GPUs torch was told of, and how many there are."""
    measure(gpus=torch.cuda.device_count(), named=torch.cuda._parse_visible_devices()[:4])
    return dict(choose(local_rank, **how))


def ask(local_rank: int) -> dict[str, Any]:
    """Run the page's check as a rank does."""
    os.environ["LOCAL_RANK"] = str(local_rank)
    try:
        snippet("enough-gpus")
    except RuntimeError as error:
        return {"found": "local rank" in str(error), "said": str(error)}
    return {"found": False, "said": ""}


@reproduce(**CUDA_BUILD | TWO_GPUS)
def third_rank_on_two_gpus() -> dict[str, Any]:
    """--nproc-per-node=4 where there are two."""
    return run(2)


@reproduce(**CUDA_BUILD | LAST_TWO)
def number_of_the_machine() -> dict[str, Any]:
    """GPU 2 of the machine is cuda:0 once 2 and 3 alone are visible."""
    return run(2)


@reproduce(on="cuda")
def one_too_many_on_a_gpu() -> dict[str, Any]:
    """The same with a real driver."""
    return run(torch.cuda.device_count())


@fix("a-gpu-for-each-rank", control="third-rank-on-two-gpus", **CUDA_BUILD | TWO_GPUS)
def second_rank_on_two_gpus() -> dict[str, Any]:
    """With two processes the last rank is 1."""
    return run(1)


@fix("count-from-zero", control="number-of-the-machine", **CUDA_BUILD | LAST_TWO)
def first_of_the_visible() -> dict[str, Any]:
    """GPU 2 of the machine by the number it has here."""
    return run(0)


@reproduce(**CUDA_BUILD | FOUR_NAMED)
def four_named() -> dict[str, Any]:
    """Four numbers in the variable, two GPUs."""
    return run(2)


@reproduce(**CUDA_BUILD | TWO_GPUS)
def properties_of_the_third() -> dict[str, Any]:
    """As DataParallel asks for them, for every GPU it is given."""
    return {"name": torch.cuda.get_device_properties(2).name}


@detect(found=True, **CUDA_BUILD | TWO_GPUS)
def asks_as_the_third_rank() -> dict[str, Any]:
    """Rank and GPUs are named."""
    return ask(2)


@detect(found=False, control="asks-as-the-third-rank", **CUDA_BUILD | TWO_GPUS)
def asks_as_the_second_rank() -> dict[str, Any]:
    """There is a GPU for it."""
    return ask(1)


def places(ranks: int) -> dict[str, Any]:
    """Let each rank choose, with the number wrapped around; say where they are."""
    chosen = [choose(rank, wrap=True)["device"] for rank in range(ranks)]
    return {"found": len(set(chosen)) < ranks, "chosen": chosen}


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
