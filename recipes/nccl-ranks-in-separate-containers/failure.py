"""Two ranks of NCCL on one machine, in one container or in one each."""

from __future__ import annotations

import contextlib
import ctypes
import io
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import NcclRank, nccl_ranks, private_mount

if TYPE_CHECKING:
    from collections.abc import Callable

NEW_NAME = 0x04000000  # CLONE_NEWUTS


def container(number: int, own: str) -> Callable[[], None]:
    """Return what gives a process a ``name``, a ``shm``, or both of its own."""

    def enter() -> None:
        if "shm" in own:
            private_mount(256 << 20)
        if "name" in own:
            libc, name = ctypes.CDLL(None), f"container{number}".encode()
            libc.unshare(NEW_NAME)
            libc.sethostname(name, len(name))

    return enter


def join(own: str = "", **settings: str) -> dict[str, object]:
    """Let both ranks join, and look at what NCCL has printed, as the page does."""
    env = {"NCCL_DEBUG": "INFO", **settings}
    ranks = [NcclRank(number, env, before=container(number, own)) for number in (0, 1)]
    ends = nccl_ranks(*ranks)
    lines = [line for end in ends for line in end.lines]
    # The stand-in for the driver has no InfiniBand, of which NCCL says one sentence.
    warned = [text for end in ends for text in end.warnings if "lib wrapper" not in text]
    seen: dict[str, object] = {"joined": sum(end.code == 0 for end in ends), "warned": len(warned)}
    Path("train.log").write_text("\n".join(lines), "utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("nodes")
    text = said.getvalue().strip()
    return seen | {"found": bool(text), "said": text, "nodes": done["nodes"], "ways": done["ways"]}


def train(own: str = "", **settings: str) -> dict[str, object]:
    """Join, and stop if NCCL counts machines that are not there."""
    seen = join(own, **settings)
    measure(**seen, level=settings.get("NCCL_P2P_LEVEL", ""))
    if seen["found"]:
        raise RuntimeError(seen["said"])
    return {"right": True}
