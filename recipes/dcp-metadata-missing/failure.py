"""Save with torch.distributed.checkpoint, and load what was copied, cut short or left apart."""

import os
import signal
import subprocess
from multiprocessing import get_context
from typing import Any

import torch
from torch import nn
from torch.distributed import checkpoint
from torch.distributed.checkpoint.filesystem import FileSystemWriter

dcp: Any = checkpoint  # its functions have no types


def build(value: float, device: str = "cpu") -> Any:
    """Return a model whose weights are all ``value``."""
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).to(device)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(value)
    return model


def save(folder: str, value: float, device: str = "cpu", *, killed: bool = False) -> None:
    """Save such a model, in two files; ``killed``: once these are written, as by a scheduler."""
    writer: Any = FileSystemWriter(folder, thread_count=2)
    if killed:
        writer.finish = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
    state = {"model": build(value, device).state_dict(), "step": int(value)}
    dcp.save(state, storage_writer=writer)


def save_and_die(folder: str, value: float) -> None:
    """Save in a process of its own, which is killed."""
    fork: Any = get_context("fork")
    process = fork.Process(target=save, args=(folder, value), kwargs={"killed": True})
    process.start()
    process.join()


def copy(command: str) -> None:
    """Copy a checkpoint with a command of the shell."""
    subprocess.run(command, shell=True, check=True)  # noqa: S602


def load(folder: str, device: str = "cpu") -> list[float]:
    """Load, and return what each parameter holds."""
    model = build(0, device)
    dcp.load({"model": model.state_dict()}, checkpoint_id=folder)
    return [float(parameter.mean()) for parameter in model.parameters()]
