"""Start ranks of NCCL and say how each ended."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.files import cache_folder
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers.beside import beside, exit_code, until
from fixbook.recipe.helpers.gpu import NoStandInError
from fixbook.recipe.helpers.hosts import on_hosts
from fixbook.recipe.helpers.nccl.build import CALLS, stand_in_below_nccl
from fixbook.recipe.helpers.nccl.rank import join, published

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# NCCL would ask the driver for memory of its own kind, which the stand-in does not have.
_PLAIN_MEMORY = {"NCCL_CUMEM_ENABLE": "0", "NCCL_CUMEM_HOST_ENABLE": "0"}
_SLACK_S, _GRACE_S = 10.0, 3.0


@dataclass(frozen=True, slots=True)
class NcclRank:
    """What differs from rank to rank.

    Attributes:
        device: GPU that it chooses, counted as its process sees them.
        env: Variables of its process.
        library: NCCL's library; None for the one of the step's packages.
        before: Called in its process before NCCL is loaded, such as a mount or a limit.
        nvml: Whether a libnvidia-ml stands in; without it, NCCL looks for the machine's.
    """

    device: int = 0
    env: Mapping[str, str] = field(default_factory=dict)
    library: Path | None = None
    before: Callable[[], object] | None = None
    nvml: bool = True


@dataclass(frozen=True, slots=True)
class NcclEnd:
    """How a rank ended.

    Attributes:
        code: What NCCL returned (0: joined); None if it had not by the end of the patience.
        error: What NCCL calls that code; empty if it did not return.
        last: What NCCL gives as its last error.
        seconds: How long joining took.
        lines: All it printed.
    """

    code: int | None
    error: str
    last: str
    seconds: float
    lines: tuple[str, ...]

    @property
    def warnings(self) -> list[str]:
        """Its lines of NCCL WARN, from the name of the source file on."""
        said = (line.partition("NCCL WARN ") for line in self.lines)
        return [f"{place.rpartition('] ')[2]}{mark}{text}" for place, mark, text in said if mark]


def nccl_ranks(
    *ranks: NcclRank, gpus: int = 8, hosts: bool = False, patience_s: float = 20.0
) -> list[NcclEnd]:
    """Let ranks join one group of NCCL, and echo what they print, rank by rank.

    The step's ``versions`` bring NCCL, such as ``nvidia-nccl-cu13==2.29.7``. A machine without a
    compiler, without network namespaces where hosts are asked for, or with another processor than
    x86-64 skips the step with the reason.

    Args:
        *ranks: Each of them, rank 0 first. ``NCCL_DEBUG`` is ``WARN`` unless one sets it.
        gpus: How many the machine, or each of the hosts, has.
        hosts: Give each rank a host of its own (see `on_hosts`).
        patience_s: How long they may take, in seconds. Those that wait still are then ended; so are
            those that wait three seconds after another has failed.

    Returns:
        How each ended.

    Raises:
        RuntimeError: A rank ended before NCCL returned; what it printed is in the message.
    """
    try:
        below = stand_in_below_nccl(cache_folder() / "nccl")
        libraries = [rank.library or published() for rank in ranks]
    except NoStandInError as reason:
        skip(str(reason))
    meet = Path(tempfile.mkdtemp())

    def work(number: int) -> Callable[[], None]:
        def wait() -> None:
            with beside(lambda: _run(ranks, number, libraries[number], below, meet, gpus)) as one:
                codes: list[int | None] = []

                def over() -> bool:
                    codes.append(exit_code(one, 0.0))
                    return codes[-1] is not None or _one_has_failed(meet)

                until(over, patience_s)
                if codes[-1] is None:
                    (meet / f"{number}.waits").touch()

        return wait

    began = time.monotonic()
    all_of = [work(number) for number in range(len(ranks))]
    if hosts:
        on_hosts(*all_of, patience_s=patience_s + _SLACK_S)
    else:
        with ExitStack() as block:
            for one in [block.enter_context(beside(each)) for each in all_of]:
                exit_code(one, patience_s + _SLACK_S)
    return [_end(meet, number, time.monotonic() - began) for number in range(len(ranks))]


def _run(
    ranks: tuple[NcclRank, ...], number: int, library: Path, below: Path, meet: Path, gpus: int
) -> None:
    rank = ranks[number]
    output = os.open(meet / f"{number}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(output, stream)
    settings = {"NCCL_DEBUG": "WARN", "FIXBOOK_GPU_COUNT": str(gpus), **_PLAIN_MEMORY}
    os.environ |= settings | dict(rank.env)
    if not rank.nvml:
        alone = meet / f"{number}-below"
        alone.mkdir()
        (alone / CALLS).symlink_to(below / CALLS)
        below = alone
    if rank.before:
        rank.before()
    join(number, len(ranks), rank.device, library, below, meet)
    os._exit(0)  # NCCL's threads are still there


def _one_has_failed(meet: Path) -> bool:
    """Tell whether NCCL failed in a rank, long enough ago for the others to have noticed."""
    ended = [file for file in meet.glob("*.json") if time.time() - file.stat().st_mtime > _GRACE_S]
    return any(json.loads(file.read_text("utf-8"))["code"] for file in ended)


def _end(meet: Path, number: int, waited_s: float) -> NcclEnd:
    log = meet / f"{number}.log"
    said = log.read_text("utf-8", "replace") if log.exists() else ""
    sys.stdout.write(said)
    sys.stdout.flush()
    lines = tuple(line for line in said.splitlines() if line.strip())
    ended = meet / f"{number}.json"
    if ended.exists():
        return NcclEnd(lines=lines, **json.loads(ended.read_text("utf-8")))
    if (meet / f"{number}.waits").exists():
        return NcclEnd(None, "", "", waited_s, lines)
    raise RuntimeError(f"rank {number} ended before NCCL returned:\n{said}")
