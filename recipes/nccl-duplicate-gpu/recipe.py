"""Two processes of one group take the same GPU, and NCCL refuses."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from failure import first_gpu, join, start

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    snippet,
    snippet_text,
)

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL alone is a download of 200 MB",
}
NAMED: dict[str, Any] = NCCL | {"programs": ["cc", "unshare"]}
NEWER: dict[str, Any] = NCCL | {"versions": ["nvidia-nccl-cu13==2.32.3"]}


def own_gpu(local_rank: int) -> int:
    """Choose as the line of the page does."""
    chosen: list[int] = []
    os.environ["LOCAL_RANK"] = str(local_rank)
    torch = SimpleNamespace(cuda=SimpleNamespace(set_device=chosen.append))
    snippet("set-device", os=os, torch=torch)
    return chosen[0]


def wrapped(local_rank: int) -> int:
    """Begin again at the first GPU where there are too few."""
    return local_rank % 2


def same_list(_rank: int) -> str:
    """Show the same GPU to every process."""
    return "1"


def own_list(rank: int) -> str:
    """Show each process a GPU of its own."""
    return str(rank)


def all_of_them(rank: int) -> str:
    """Show every process all GPUs."""
    measure(visible="0,1")
    return "0,1" if rank >= 0 else ""


@reproduce(**NCCL)
def no_gpu_chosen() -> Any:
    """Every process stays on the first GPU."""
    return start()


@reproduce(**NEWER)
def no_gpu_chosen_newer() -> Any:
    """The same with NCCL 2.32.3."""
    return start()


@reproduce(**NCCL)
def same_gpu_visible() -> Any:
    """Every process sees one GPU, the same."""
    return start(visible=same_list)


@reproduce(**NCCL)
def too_many_ranks() -> Any:
    """Four processes, two GPUs."""
    return start(ranks=4, choose=wrapped)


@fix("set-device", control="no-gpu-chosen", **NCCL)
def gpu_chosen() -> Any:
    """Each chooses its own."""
    return start(choose=own_gpu)


@fix("own-list", control="same-gpu-visible", **NCCL)
def own_gpu_visible() -> Any:
    """Each sees its own."""
    return start(visible=own_list)


def list_of_the_page(rank: int) -> str:
    """Return what the page shows to the server, and to the trainer."""
    return re.findall(r"CUDA_VISIBLE_DEVICES=(\d+) ", snippet_text("apart"))[rank]


@fix("apart", control="same-gpu-visible", **NCCL)
def server_apart() -> Any:
    """The server sees one GPU, and the trainer another."""
    return start(visible=list_of_the_page)


@fix("fewer", control="too-many-ranks", **NCCL)
def as_many_as_gpus() -> Any:
    """Two processes."""
    return start(ranks=2, choose=wrapped)


@non_fix("visible", control="no-gpu-chosen", **NCCL)
def all_visible() -> Any:
    """All see both, and none chooses."""
    return start(visible=all_of_them)


def looked_at(choose: Any, hosts: tuple[str, str] = ("node1", "node1")) -> dict[str, Any]:
    """Look at the log as the page does."""
    with contextlib.redirect_stdout(io.StringIO()) as log:
        join(choose=choose, hosts=hosts, NCCL_DEBUG="INFO")
    Path("train.log").write_text(log.getvalue(), "utf-8")
    said = [line.partition(" commId")[0] for line in run_snippet("buses").stdout.splitlines()]
    return {"found": bool(said), **dict(zip(("first", "second"), said, strict=False))}


@detect(found=True, **NAMED)
def same_bus() -> dict[str, Any]:
    """Both ranks name one bus."""
    return looked_at(first_gpu)


@detect(found=False, control="same-bus", **NAMED)
def own_bus() -> dict[str, Any]:
    """Each names its own."""
    return looked_at(own_gpu)


@detect(found=False, control="same-bus", **NAMED)
def same_bus_of_two_hosts() -> dict[str, Any]:
    """Both name one bus, each of its own host."""
    return looked_at(first_gpu, ("node1", "node2"))


if __name__ == "__main__":
    main(__file__)
