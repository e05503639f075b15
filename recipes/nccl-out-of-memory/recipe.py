"""NCCL asks CUDA for memory of its own, and torch's cache has left it none."""
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
from typing import TYPE_CHECKING, Any

import proof_card  # noqa: F401  # isort: skip  (before torch)
import torch
import torch.distributed as dist
from failure import BESIDE_A_GROUP, MIB, add, grow

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import NcclRank, beside, exit_code, free_port, nccl_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96", "nvidia-nccl-cu13==2.29.7"],
    "import_first": "proof_card",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA and NCCL are a download of 700 MB",
    "env": {"STAND_IN_CARDS": "1"},
}
WARNS: dict[str, Any] = CARDS | {"env": {"STAND_IN_CARDS": "1", "NCCL_DEBUG": "WARN"}}
OLDER: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu12==2.18.1"],
    "programs": ["cc"],
    "record_once": "NCCL alone is a download of 200 MB",
}
PEERS_OFF = {"STAND_IN_CARDS": "1", "NCCL_P2P_DISABLE": "1"}
SPLITS = {"STAND_IN_CARDS": "1", "PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:128"}
GIVEN = 1000  # bytes that an older NCCL finds free


def on_two_cards(work: Callable[[], object]) -> dict[str, Any]:
    """Run this in two ranks, each with a card of its own; end as they end."""
    port = str(free_port())

    def rank(number: int) -> Callable[[], None]:
        def run() -> None:
            os.environ |= {"RANK": str(number), "WORLD_SIZE": "2", "MASTER_PORT": port}
            os.environ |= {"MASTER_ADDR": "127.0.0.1", "CUDA_VISIBLE_DEVICES": str(number)}
            work()
            os._exit(0)  # NCCL's threads are still there

        return run

    with beside(rank(0)) as one, beside(rank(1)) as other:
        ends = [exit_code(one, 60.0), exit_code(other, 60.0)]
    if any(ends):
        raise SystemExit(1)
    return {"joined": len(ends)}


def ask() -> None:
    """Run the page's check, and measure what it sees."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        seen = snippet("margin", torch=torch)
    measure(free=seen["free"] // MIB, kept=seen["kept"] // MIB, others=seen["others"] // MIB)
    measure(said=printed.getvalue().strip(), found=seen["free"] < seen["total"] // 20)


def train(before: str = "") -> None:
    """Join, grow, run lines of the page, and add up.

    Args:
        before: The snippet that comes before adding up.
    """
    dist.init_process_group("nccl")
    grow()
    if before:
        snippet(before, torch=torch)
    measure(split=os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""))
    measure(p2p=os.environ.get("NCCL_P2P_DISABLE", ""))
    ask()
    add()


def train_in_a_later_group(before: str = "") -> None:
    """Train in a group that is there from the start, and add up in one that is made later."""
    dist.init_process_group("nccl")
    add()
    grow(BESIDE_A_GROUP)
    if before:
        snippet(before, torch=torch)
    ask()
    add(dist.new_group([0, 1]))


def train_in_one_group(before: str = "") -> None:
    """Train, and add up in the group that has connected before."""
    if before:
        snippet(before, torch=torch)
    dist.init_process_group("nccl")
    add()
    grow(BESIDE_A_GROUP)
    ask()
    add()


def train_joined_first() -> None:
    """Let NCCL take its memory before torch takes any."""
    snippet("first", dist=dist, torch=torch)
    grow()
    ask()
    add()


def train_within_bounds() -> None:
    """Let torch leave a part of the card."""
    snippet("bound", torch=torch)
    train()


def train_and_catch() -> None:
    """Catch what torch raises where its own memory runs out."""
    measure(catches=torch.OutOfMemoryError.__name__)
    try:
        train()
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
        add()


@reproduce(**CARDS)
def cache_holds_it() -> Any:
    """All of torch's memory is unused, and NCCL gets none."""
    return on_two_cards(train)


@reproduce(**WARNS)
def told_to_warn() -> Any:
    """The same, with NCCL's warnings."""
    return on_two_cards(train)


@reproduce(**CARDS)
def later_group() -> Any:
    """A second group, made after steps that were fine."""
    return on_two_cards(train_in_a_later_group)


@reproduce(**OLDER)
def older_nccl() -> Any:
    """An older release, on cards that are full."""
    full = {"FIXBOOK_GPU_MEMORY": str(GIVEN)}
    ends = nccl_ranks(NcclRank(0, full), NcclRank(1, full))
    measure(code=ends[0].code, last=ends[0].last)
    if ends[0].code:
        raise RuntimeError(f"NCCL error: {ends[0].error}")
    return {"joined": 2}


@fix("give-back", control="cache-holds-it", **CARDS)
def given_back() -> Any:
    """The page's line gives the cache back first."""
    return on_two_cards(lambda: train("give-back"))


@fix("give-back", control="later-group", **CARDS)
def given_back_for_a_group() -> Any:
    """The same before the second group."""
    return on_two_cards(lambda: train_in_a_later_group("give-back"))


@fix("bound", control="cache-holds-it", **CARDS)
def bounded() -> Any:
    """Torch gives its cache back by itself where it would go beyond."""
    return on_two_cards(train_within_bounds)


@fix("first", control="cache-holds-it", **CARDS)
def joined_first() -> Any:
    """NCCL has its memory before torch has any."""
    return on_two_cards(train_joined_first)


@non_fix("p2p", control="cache-holds-it", **CARDS | {"env": PEERS_OFF})
def peers_off() -> Any:
    """Memory is missing, and no way between the cards."""
    return on_two_cards(train)


@non_fix("split", control="cache-holds-it", **CARDS | {"env": SPLITS})
def split_smaller() -> Any:
    """The blocks are free, and stay torch's."""
    return on_two_cards(train)


@non_fix("catch", control="cache-holds-it", **CARDS)
def caught() -> Any:
    """It is no OutOfMemoryError."""
    return on_two_cards(train_and_catch)


@detect(found=True, **CARDS)
def first_steps_pass() -> Any:
    """Steps that are fine, before a second group."""
    return on_two_cards(train_in_one_group)


@detect(found=False, control="first-steps-pass", **CARDS)
def within_bounds() -> Any:
    """The same, within the bounds of the fix."""
    return on_two_cards(lambda: train_in_one_group("bound"))


if __name__ == "__main__":
    main(__file__)
