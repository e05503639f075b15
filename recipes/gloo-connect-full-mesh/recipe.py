"""Gloo announces an address on which the other hosts do not find this one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import Any

from failure import join
from proof_hosts import all_ranks, leave_files, write_hosts

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet, snippet
from fixbook.recipe.helpers import on_hosts
from fixbook.recipe.helpers.beside import free_port

IP: dict[str, Any] = {"programs": ["ip"]}
GLOO, NCCL = "GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"


def told(interface: str, nccl: str = "") -> None:
    """Set the variables of this host; an empty one is left out."""
    os.environ |= {key: name for key, name in ((GLOO, interface), (NCCL, nccl)) if name}


def train(
    *interfaces: str, nccl: bool = False, route: bool = False, hosts: str = ""
) -> dict[str, Any]:
    """Join from as many hosts as there are interfaces; each is given one, or asks for its route.

    Args:
        *interfaces: One for each host; an empty one is not named.
        nccl: NCCL is told the interface of each.
        route: Each asks for the interface that leads to rank 0.
        hosts: What the name of each leads to, with the number of the host in it.
    """

    def rank(number: int) -> Any:
        def work() -> None:
            interface = interfaces[number]
            if hosts:
                write_hosts(hosts.format(number + 1))
            if route:
                said = run_snippet("interface", env={"MASTER_ADDR": "10.77.0.1"})
                interface = said.stdout.strip()
            told(interface, f"net{number + 1}" if nccl else "")
            if number == 0:
                measure(gloo=os.environ.get(GLOO, ""), nccl=os.environ.get(NCCL, ""))
                measure(found="10.77." not in run_snippet("announced").stdout)
            measure(**{f"sum_{number}": join(number, len(interfaces))})

        return work

    if any(on_hosts(*[rank(number) for number in range(len(interfaces))])):
        raise SystemExit(1)
    return {}


def train_here(world: int, *, raised: bool = False) -> dict[str, Any]:
    """Join many ranks on this machine, all but the first of which may open few files more."""
    port = free_port()

    def rank(number: int) -> None:
        if number:
            leave_files(9)
            if raised:
                snippet("files")
        total = join(number, world, f"127.0.0.1:{port}")
        if number == 0:
            measure(sum=total)

    codes = all_ranks(rank, world)
    measure(failed=sum(code != 0 for code in codes))
    if any(codes):
        raise SystemExit(1)
    return {}


@reproduce(**IP)
def own_name_is_local() -> Any:
    """The name of each host leads to 127.0.0.1."""
    return train("", "")


@reproduce(**IP)
def name_of_another_address() -> Any:
    """The name of each leads to an address that it does not have."""
    return train("", "", hosts="10.77.0.9{}")


@fix("interface", control="own-name-is-local", **IP)
def interface_found() -> Any:
    """Each finds the interface that leads to rank 0."""
    return train("", "", route=True)


@fix("hosts", control="own-name-is-local", **IP)
def own_address_in_hosts() -> Any:
    """The name of each leads to its address."""
    return train("", "", hosts="10.77.0.{}")


@non_fix("nccl-alone", control="own-name-is-local", **IP)
def interface_for_nccl_alone() -> Any:
    """Gloo does not read the variable of NCCL."""
    return train("", "", nccl=True)


@reproduce(**IP)
def no_such_interface() -> Any:
    """The same name for both, and one of them has no such interface."""
    return train("net1", "net1")


@fix("interface", control="no-such-interface", **IP)
def own_interface() -> Any:
    """Each has its own."""
    return train("net1", "net2")


@non_fix("exclusion", control="own-name-is-local", **IP)
def nccl_syntax() -> Any:
    """What NCCL understands is a name for Gloo."""
    return train("^lo,docker", "^lo,docker")


@reproduce(**IP)
def three_hosts_half_right() -> Any:
    """Two of three announce 127.0.0.1."""
    return train("net1", "", "")


def announces(interface: str) -> dict[str, Any]:
    """Run the page's lines on the second host of two, where the first is right."""

    def second() -> None:
        told(interface)
        said = run_snippet("announced").stdout
        measure(address=said.strip(), found="10.77." not in said)
        measure(sum_1=join(1, 2))

    def first() -> None:
        told("net1")
        join(0, 2)

    on_hosts(first, second)
    return {}


@detect(found=True, **IP)
def two_hosts_half_right() -> Any:
    """It runs, as the second dials the first."""
    return announces("")


@detect(found=False, control="two-hosts-half-right", **IP)
def two_hosts_right() -> Any:
    """Both announce what the other reaches."""
    return announces("net2")


@reproduce()
def few_files() -> Any:
    """Every rank needs an open file for each of the others."""
    return train_here(10)


@fix("files", control="few-files")
def more_files() -> Any:
    """Each rank raises its limit to what is allowed."""
    return train_here(10, raised=True)


if __name__ == "__main__":
    main(__file__)
