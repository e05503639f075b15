"""Work that is handed to other processes, or kept in this one."""

from __future__ import annotations

import os
from multiprocessing import Pipe, get_context
from multiprocessing.pool import ThreadPool
from typing import Any

import torch.multiprocessing
from torch.utils.data import DataLoader, TensorDataset

from fixbook.recipe import measure


def samples() -> TensorDataset:
    """Return eight samples."""
    return TensorDataset(torch.arange(8))


def load(**options: Any) -> dict[str, Any]:
    """Go through all batches, made by two workers if nothing else is said."""
    loader = DataLoader(samples(), **{"batch_size": 2, "num_workers": 2} | options)
    return {"batches": sum(1 for _ in loader)}


def in_threads() -> dict[str, Any]:
    """Use the thread pool that lies in the package for processes."""
    measure(pool=ThreadPool.__name__)
    with ThreadPool(2) as pool:
        return {"batches": len(pool.map(abs, range(4)))}


def answer(sender: Any) -> None:
    """Work in a process of its own, and send the result."""
    sender.send((os.getpid(), sum(range(8))))


def by_pipe() -> dict[str, Any]:
    """Start a process, and take its result from a pipe."""
    receiver, sender = Pipe(duplex=False)
    process = get_context("fork").Process(target=answer, args=(sender,))
    process.start()
    who, received = receiver.recv()
    process.join()
    return {"received": received, "elsewhere": who != os.getpid()}


def by_name() -> dict[str, Any]:
    """Let workers share tensors by file name."""
    torch.multiprocessing.set_sharing_strategy("file_system")  # type: ignore[no-untyped-call]
    measure(strategy=torch.multiprocessing.get_sharing_strategy())  # type: ignore[no-untyped-call]
    return load()


def by_joblib() -> dict[str, Any]:
    """Ask joblib for two processes; count those that worked."""
    from joblib import Parallel, delayed

    seen = Parallel(n_jobs=2)(delayed(os.getpid)() for _ in range(8))
    return {"processes": len(set(seen)), "here": sum(one == os.getpid() for one in seen)}
