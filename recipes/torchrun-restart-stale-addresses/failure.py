"""A training whose first attempt fails; torchrun starts it again, beside a store that goes on."""

from __future__ import annotations

import os
import shlex
import signal
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch.distributed import run
from torch.distributed.launcher.api import elastic_launch

if TYPE_CHECKING:
    from collections.abc import Callable

WAIT = timedelta(seconds=10)


def group(wait: timedelta = WAIT) -> None:
    """Form the group as most scripts do."""
    dist.init_process_group("gloo", timeout=wait)


def train(form: Callable[[], object]) -> None:
    """Be one rank; in the second attempt every second one needs longer before it joins."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # as in a process of its own
    rank, attempt = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
    Path(f"port-{attempt}").write_text(os.environ["MASTER_PORT"], "utf-8")
    if attempt and rank % 2:
        time.sleep(2)
    form()
    total = torch.ones(1)
    dist.all_reduce(total)
    if attempt == 0 and rank == 1:
        raise ValueError("a batch that does not fit")
    if attempt == 0:
        time.sleep(60)
    Path(f"done-{rank}").touch()


def launch(command: str, form: Callable[[], object] = group) -> None:
    """Launch as torchrun does for its command line; the ranks are forked, which saves imports."""
    config, _, _ = run.config_from_args(run.get_args_parser().parse_args(shlex.split(command)[1:]))
    config.start_method = "fork"
    elastic_launch(config, train)(form)
