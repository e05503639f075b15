"""Two processes of one job, and two engines that look for a port each."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes

from fixbook.recipe import snippet
from fixbook.recipe.helpers import listens, until

if TYPE_CHECKING:
    from collections.abc import Sequence


def spawn(port: int, ranks: Sequence[int]) -> None:
    """Spawn two processes that join by the line of the page, the second once the first listens."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}

    def work(number: int) -> None:
        if number == 1:
            until(lambda: listens(port))
        snippet("own-rank", dist=dist, number=ranks[number], world=2)
        total = torch.ones(1)
        dist.all_reduce(total)
        Path("total").write_text(str(total.item()), "utf-8")

    start_processes(work, nprocs=2, start_method="fork")


def look_for_a_port(start: int) -> int:
    """Find a free port from ``start`` on, and let go of it, as an inference engine does."""
    with socket.socket() as trial:
        try:
            trial.bind(("", start))
        except OSError:
            return look_for_a_port(start + 1)
    return start
