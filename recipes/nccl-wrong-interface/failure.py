"""Two hosts that join a group of NCCL, each on the interface that its environment names."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

# NCCL gives up after 34 attempts, which takes a minute.
FEWER_ATTEMPTS = {"NCCL_SOCKET_RETRY_CNT": "3"}


def add_docker0() -> None:
    """Give this host a bridge of Docker, with the address that it has everywhere."""
    for command in ("link add docker0 type bridge", "addr add 172.17.0.1/16 dev docker0"):
        subprocess.run(["ip", *command.split()], check=True)
    subprocess.run(["ip", "link", "set", "docker0", "up"], check=True)


def add_network() -> None:
    """Give this host a network of Docker Compose as well, which NCCL does not pass over."""
    add_docker0()
    for command in ("link add br-4f1c type bridge", "addr add 172.18.0.1/16 dev br-4f1c"):
        subprocess.run(["ip", *command.split()], check=True)
    subprocess.run(["ip", "link", "set", "br-4f1c", "up"], check=True)


def join(
    first: str = "", second: str = "", bridges: Callable[[], None] = add_docker0, **settings: str
) -> list[NcclEnd]:
    """Let both join; each is told its interface, unless that is empty."""
    ranks = []
    for number, interface in enumerate((first, second)):
        named = {"NCCL_SOCKET_IFNAME": interface} if interface else {}
        host = {"NCCL_HOSTID": f"host{number}", **FEWER_ATTEMPTS}
        ranks.append(NcclRank(env={**host, **named, **settings}, before=bridges))
    return nccl_ranks(*ranks, hosts=True, patience_s=40)


def start(first: str = "", second: str = "", **settings: str) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, as vLLM does."""
    ends = join(first, second, **settings)
    measure(waiting=sum(end.code is None for end in ends))
    for end in ends:
        if end.code:
            raise RuntimeError(f"NCCL error: {end.error}")
    return {"joined": sum(end.code == 0 for end in ends)}
