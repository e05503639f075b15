"""A process is killed because host memory ran out: the launcher's words, and the kernel's."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "numpy==2.4.6", "torch==2.13.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from failure import ROWS, SIDE, build, copied, held, load, loader, read
from proof_kernel import LIMIT, run
from proof_map import pictures, small_rows, weigh

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

MIB = 2**20


@dataclass
class Killer:
    """In place of the kernel: SIGKILL to this process once it has taken more than it may."""

    most: int
    before: int | None = None

    def __call__(self) -> int:
        """Return the bytes taken since the first call."""
        now = held()
        self.before = now if self.before is None else self.before
        if now - self.before > self.most:
            os.kill(os.getpid(), signal.SIGKILL)
        return now - self.before


def ranks(how: Any = copied) -> Any:
    """Load a checkpoint of 64 MiB where each rank may take 32."""
    path, watch = f"checkpoint-{os.environ['RANK']}.pt", Killer(32 * MIB)
    torch.save({"weight": torch.ones(SIDE, SIDE)}, path)
    watch()
    return load(path, watch, how)


def mapped(path: str) -> Any:
    """Load as the page does."""
    return snippet("mapped", path=path, build=build)["model"]


@reproduce(ranks=2)
def whole() -> Any:
    """Each rank has a copy of the weights of its own."""
    return ranks()


@fix("mapped", control="whole", ranks=2)
def from_a_mapped_file() -> Any:
    """The weights stay pages of the file."""
    return ranks(mapped)


def workers(how: Any = list, batch_size: int = 8) -> dict[str, Any]:
    """Read texts in workers each of which may take 12 MiB."""
    rows = [f"row {i}" * (1 + i % 9) for i in range(ROWS)]
    batches = loader(how(rows), Killer(12 * MIB), batch_size)
    measure(batch=len(next(iter(batches.batch_sampler))))
    return read(batches)


def array(rows: list[str]) -> Any:
    """Store the texts as the page does; weigh that, and an array without its ``dtype``."""
    before = held()
    stored = snippet("array", rows=rows)["rows"]
    measure(stored=held() - before, padded=np.array(rows).nbytes)
    return stored


@reproduce()
def a_list_of_objects() -> Any:
    """Reading an object writes its reference count: pages are copied."""
    return workers()


@fix("array", control="a-list-of-objects")
def one_array() -> Any:
    """There are no objects to count."""
    return workers(array)


@non_fix("batch-size", control="a-list-of-objects")
def smaller_batches() -> Any:
    """Fewer rows at a time, and all of them in the end."""
    return workers(batch_size=1)


MAPS: dict[str, Any] = {"versions": ["datasets==5.2.0"]}


def at_once(dataset: Any, process: Any) -> Any:
    """Process all rows in two processes, as most scripts do."""
    return dataset.map(process, num_proc=2)


def sooner(dataset: Any, process: Any) -> Any:
    """Process them as the page does."""
    return snippet("map", dataset=dataset, process=process)["dataset"]


def processed(how: Any = at_once) -> dict[str, Any]:
    """Make pictures in two processes, 60 MB in each, where each may take 24 MiB."""
    return weigh(how(small_rows(), pictures(Killer(24 * MIB))))


@reproduce(**MAPS)
def a_map_of_pictures() -> dict[str, Any]:
    """A thousand rows are held until they are written."""
    return processed()


@fix("map", control="a-map-of-pictures", **MAPS)
def pictures_written_sooner() -> dict[str, Any]:
    """Few rows are held."""
    return processed(sooner)


def kernel(how: str) -> dict[str, Any]:
    """Run two ranks under a kernel of their own, and ask it as the page does."""
    said = run(how)
    asked = re.sub(r"(?m)^\[.*?\] |pid=\d+,|(?<=process )\d+ ", "", said.split("---\n")[-2])
    exits = re.findall(r"exitcode *: (-?\d+)", said)
    machine = int(re.findall(r"machine: (\d+)", said)[0])
    measure(exits=exits, ended="torchrun ended with 1" in said, machine=machine, limit=LIMIT)
    return {"found": "oom-kill:" in asked and "oom_kill 0" not in asked, "asked": asked.strip()}


ONCE = "it boots a kernel of its own (Debian's user-mode-linux), which takes a minute"
BOOTS: dict[str, Any] = {"programs": ["linux.uml"], "record_once": ONCE, "timeout_s": 500}


@detect(found=True, **BOOTS)
def killed_by_the_kernel() -> dict[str, Any]:
    """The container's limit does not hold two copies."""
    return kernel("whole")


@detect(found=False, control="killed-by-the-kernel", **BOOTS)
def killed_by_hand() -> dict[str, Any]:
    """Something else sends the same signal."""
    return kernel("by hand")


@detect(found=False, control="killed-by-the-kernel", **BOOTS)
def not_killed_once_mapped() -> dict[str, Any]:
    """The same limit, and weights that stay in their file."""
    return kernel("mapped")


def offload(parameters: str, optimizer: str) -> dict[str, Any]:
    """Read in the table of DeepSpeed's estimate what a setting takes on the host."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("estimate")
    row = (
        r" *([\d.]+)GB \| *([\d.]+)GB \| offload_param=\S*{}, offload_optimizer=\S*{}, zero_init=1"
    )
    taken = re.search(row.format(parameters, optimizer), printed.getvalue())
    alone = re.search(row.format("none", "cpu"), printed.getvalue())
    if not taken or not alone:
        raise LookupError(printed.getvalue())
    gb = float(taken[1])
    measure(optimizer_alone=float(alone[1]))
    return {"found": gb > 64, "gb": gb, "on_gpu": float(taken[2])}


@detect(found=True)
def both_offloaded() -> dict[str, Any]:
    """A model of eight billion parameters on one GPU."""
    return offload("cpu", "cpu")


@fix("offload", control="both-offloaded")
def nothing_offloaded() -> dict[str, Any]:
    """The same model, all of it on GPUs."""
    return offload("none", "none")


if __name__ == "__main__":
    main(__file__)
