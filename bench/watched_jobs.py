"""Jobs to be watched that break, in four ways; each names what is right."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).parent / "watched"


@dataclass(frozen=True, slots=True)
class Watched:
    """One job.

    Attributes:
        kind: What it does; the script knows it by this name.
        way: ``hang``, ``death``, ``silent``, ``crash`` or ``healthy``.
        ranks: 0 for a plain process, else under a launcher.
        right: A text that has to be in what is said; one of several, parted by ``|``.
        rank: The rank that has to be named; None where there is none to name.
        layout: Arguments of the launcher.
        options: More arguments of the script: what it does for long without a word.
        script: Which script it is.
        launcher: ``torchrun`` or ``accelerate``.
        env: What is set for it.
    """

    kind: str
    way: str
    ranks: int = 0
    right: str = ""
    rank: int | None = None
    layout: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    script: str = "job.py"
    launcher: str = "torchrun"
    env: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """A name that no other job has."""
        of = self.script.removesuffix(".py").removeprefix("with_")
        words = [self.way, *(() if of == "job" else (of,)), self.kind, str(self.ranks)]
        return "-".join([*words, *(word.strip("-") for word in self.layout[:1]), *self.options])

    def command(self) -> list[str]:
        """Return its command line."""
        job = [str(SCRIPTS / self.script), self.kind, *self.options]
        if self.launcher == "accelerate":
            launch = ["-m", "accelerate.commands.launch", "--mixed_precision", "no"]
            some = ["--num_machines", "1", "--dynamo_backend", "no", "--num_processes"]
            both = ["--multi_gpu"] if self.ranks > 1 else ["--cpu"]
            alone = [str(max(self.ranks, 1)), "--main_process_port", "0"]
            return [sys.executable, *launch, *some, *alone, *both, *self.layout, *job]
        if not self.ranks:
            return [sys.executable, *job]
        launch = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
        return [sys.executable, *launch, str(self.ranks), *self.layout, *job]


_ODD, _DIFFER = "elsewhere than the others: rank {rank}", "the ranks differ at collective"
_MISSING = "rank {rank} never called collective|" + _ODD
_SIG, _MEM = "(rank {rank}): Signal {number} |({rank}): Signal", ""
BROKEN = (
    Watched("loading", "hang", 4, _ODD, 2),
    Watched("other_collective", "hang", 4, _ODD, 2),
    Watched("other_collective", "hang", 2, _DIFFER, None),
    Watched("skips_one", "hang", 2, _DIFFER, None),
    Watched("loading", "hang", 2, _MISSING, 1),
    Watched("worker_stuck", "hang", 4, _ODD, 2),
    Watched("lock", "hang", 4, _ODD, 0),
    Watched("spin", "hang", 4, _ODD, 2),
    Watched("saves_alone", "hang", 2, _MISSING, 0),
    Watched("plain_lock", "hang", 0, "only one process can be read"),
    Watched("extension_lock", "hang", 2, "[extension-build-lock-hangs]"),
    Watched("killed", "death", 4, "(rank 2): Signal 9", 2),
    Watched("killed", "death", 2, "(rank 1): Signal 9", 1),
    Watched("segfault", "death", 2, "(rank 1): Signal 11", 1),
    Watched("abort", "death", 2, "(rank 1): Signal 6", 1),
    Watched("exits", "death", 4, "(rank 2): exit code 3", 2),
    Watched(
        "exits", "death", 2, "(rank 1): exit code 3", 1, ("--redirects", "3", "--log-dir", "logs")
    ),
    Watched("bus", "death", 2, "(rank 1): Signal 7", 1),
    Watched("terminated", "death", 2, "(rank 1): Signal 15", 1),
    Watched("killed", "death", 0, "Signal 9"),
    Watched("memory", "death", 0, "the kernel killed for memory|somebody else sent SIGKILL"),
    Watched("nan", "silent", 0, "grad_norm is not finite"),
    Watched("nan_filtered", "silent", 2, "grad_norm is not finite"),
    Watched("all_masked", "silent", 0, "loss and grad_norm are 0"),
    Watched("rate_zero", "silent", 0, "the learning rate is 0"),
    Watched("frozen", "silent", 0, "nothing was trained between"),
    Watched("empty_optimizer", "silent", 0, "nothing was trained between"),
    Watched("adapter_cut_off", "silent", 0, "lora_B"),
    Watched("no_gradient", "silent", 0, "grad_norm is 0"),
    Watched("nan_weights", "silent", 0, "NaN"),
    Watched("leak", "silent", 0, "memory rose from"),
    Watched("device_assert", "crash", 4, "[device-side-assert]", 2),
    Watched(
        "out_of_memory",
        "crash",
        2,
        "CUDA out of memory",
        1,
        ("--redirects", "3", "--log-dir", "logs"),
    ),
    Watched("missing_key", "crash", 2, "KeyError: 'labels'", 1),
    Watched("shapes", "crash", 2, "mat1 and mat2 shapes", 1),
    Watched("inplace", "crash", 0, "[autograd-inplace-modified]"),
    Watched("twice_backward", "crash", 0, "backward"),
    Watched("no_file", "crash", 4, "FileNotFoundError", 2, ("--tee", "3")),
    Watched("own_error", "crash", 2, "MyOwnError", 1, ("--tee", "3")),
    Watched("unused", "crash", 2, "find_unused_parameters|unused"),
    Watched("worker_raises", "crash", 0, "ZeroDivisionError"),
)
