"""After a restart by torchrun, ranks read the addresses of ranks that have ended."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from failure import WAIT, group, launch
from proof_ports import alone

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
from fixbook.recipe.helpers import beside, exit_code, free_port

if TYPE_CHECKING:
    from collections.abc import Callable

C10D = (
    "torchrun --max-restarts=1 --rdzv-backend=c10d --rdzv-endpoint=127.0.0.1:{port}"
    " --nnodes=1 --nproc-per-node=8 train.py"
)
STATIC = (
    "torchrun --max-restarts=1 --master-addr=127.0.0.1 --master-port={port}"
    " --nnodes=1 --nproc-per-node=8 train.py"
)
# What torchrun says of a restart; by default it says less.
INFO = {"LOGLEVEL": "INFO"}
ONCE = "eight processes at once, which a busy machine makes later than the failure needs"
OWN_STORE = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}


def variable() -> dict[str, str]:
    """Return what the page exports."""
    return dict([snippet_text("variable").removeprefix("export ").strip().split("=")])


def meeting() -> str:
    """Return the command of the page, for one node and these ranks."""
    command = snippet_text("c10d").replace("$MASTER_ADDR:$MASTER_PORT", "127.0.0.1:{port}")
    command = command.partition(" torchrun ")[2].replace("--nnodes=2", "--nnodes=1")
    return f"torchrun --max-restarts=1 {command}"


def restarted(
    command: str, *, form: Callable[[], object] = group, env: dict[str, str] | None = None
) -> dict[str, Any]:
    """Launch; the first attempt fails, and the second is to reach its end."""
    os.environ |= env or {}
    measure(
        shared=os.environ.get("TORCH_DISABLE_SHARE_RDZV_TCP_STORE") != "1",
        interface=os.environ.get("GLOO_SOCKET_IFNAME", ""),
    )
    launch(command.format(port=free_port()), form)
    ports = [Path(f"port-{attempt}").read_text("utf-8") for attempt in (0, 1)]
    return {"done": len(list(Path().glob("done-*"))), "other_port": ports[0] != ports[1]}


@reproduce(env=INFO, record_once=ONCE)
def store_goes_on() -> Any:
    """The store of torchrun stays, with what the first attempt wrote."""
    return restarted(C10D)


@fix("variable", control="store-goes-on", env=INFO, record_once=ONCE)
def store_of_each_attempt() -> Any:
    """Each attempt has its own store."""
    return restarted(C10D, env=variable())


@reproduce(env=INFO, record_once=ONCE)
def static_store() -> Any:
    """The same with the address of the master on the command line."""
    return restarted(STATIC)


@non_fix("static", control="static-store", env=INFO, record_once=ONCE)
def static_with_variable() -> Any:
    """This way to meet does not look at the variable."""
    return restarted(STATIC, env=OWN_STORE)


@fix("c10d", control="static-store", env=INFO, record_once=ONCE)
def met_by_c10d() -> Any:
    """The other way to meet, which looks at the variable."""
    return restarted(meeting(), env=OWN_STORE)


@fix("own-keys", control="static-store", env=INFO, record_once=ONCE)
def keys_of_each_attempt() -> Any:
    """The store stays, and each attempt has its own keys."""
    return restarted(STATIC, form=lambda: snippet("own-keys", dist=dist, timeout=WAIT))


@non_fix("interface", control="store-goes-on", env=INFO, record_once=ONCE)
def told_the_interface() -> Any:
    """The address is right; the one who listened there has gone."""
    return restarted(C10D, env={"GLOO_SOCKET_IFNAME": "lo"})


@reproduce(env=INFO, record_once=ONCE, programs=["ip"])
def both_wait() -> Any:
    """Of two ranks, each waits for the other to connect."""
    return alone(C10D.replace("=8", "=2").format(port=29500))


def looked_at(env: dict[str, str]) -> dict[str, Any]:
    """Launch elsewhere, write the log that the page asks for, and look as it does."""

    def work() -> None:
        log = os.open("train.log", os.O_CREAT | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        restarted(C10D, env=env)

    with beside(work) as job:
        measure(failed=exit_code(job, 100) != 0)
    said = run_snippet("ports").stdout.split()
    ports = [line.partition("=")[2] for line in said if line.startswith("master_port")]
    return {"found": ports[0] == ports[1], "first": re.sub(r"\d+$", "…", said[1])}


@detect(found=True, env=INFO, record_once=ONCE)
def one_port() -> Any:
    """Both attempts have the same port."""
    return looked_at({})


@detect(found=False, control="one-port", env=INFO, record_once=ONCE)
def two_ports() -> Any:
    """Each has its own."""
    return looked_at(variable())


if __name__ == "__main__":
    main(__file__)
