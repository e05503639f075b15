"""NCCL announces an address on which the other hosts do not find this one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import add_docker0, add_network, join, start

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet, snippet_text

if TYPE_CHECKING:
    from collections.abc import Callable

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc", "ip"],
    "record_once": "NCCL alone is a download of 200 MB",
}


def both(interface: str, **settings: str) -> Any:
    """Let both hosts have the variable, or neither where it is empty."""
    measure(disabled=settings.get("NCCL_IB_DISABLE", "0"))
    return start(interface, interface, **settings)


def list_of_the_page() -> str:
    """Return the value that the page sets."""
    return snippet_text("name").partition("=")[2].split()[0]


@reproduce(**NCCL)
def loopback() -> Any:
    """The first host is told to take lo."""
    return start("lo")


@reproduce(**NCCL)
def bridge_of_docker() -> Any:
    """Both are told to take docker0."""
    return both("docker0")


@fix("unset", control="bridge-of-docker", **NCCL)
def unset() -> Any:
    """NCCL chooses."""
    return both("")


@fix("name", control="bridge-of-docker", **NCCL)
def named() -> Any:
    """Both have the list of the page, of which each has one interface."""
    return both(list_of_the_page())


@non_fix("infiniband", control="bridge-of-docker", **NCCL)
def without_infiniband() -> Any:
    """The group meets over TCP in any case."""
    return both("docker0", NCCL_IB_DISABLE="1")


NOT_REACHED = (":127.", ":172.17.", ":172.18.")


def looked_at(interface: str, bridges: Callable[[], None] = add_docker0) -> dict[str, Any]:
    """Look at the log as the page does."""
    with contextlib.redirect_stdout(io.StringIO()) as log:
        join(interface, interface, bridges, NCCL_DEBUG="INFO")
    Path("train.log").write_text(log.getvalue(), "utf-8")
    said = run_snippet("announced").stdout.splitlines()
    wrong = any(address in line for line in said for address in NOT_REACHED)
    return {"found": wrong, "first": said[0], "last": said[-1], "lines": len(said)}


@detect(found=True, **NCCL)
def announces_docker0() -> dict[str, Any]:
    """Both announce the same address, which is on every host."""
    return looked_at("docker0")


@detect(found=True, **NCCL)
def announces_a_bridge_too() -> dict[str, Any]:
    """The group meets, and its data would go over a bridge as well."""
    return looked_at("", add_network)


@detect(found=False, control="announces-docker0", **NCCL)
def announces_its_own() -> dict[str, Any]:
    """Each announces its own."""
    return looked_at("")


if __name__ == "__main__":
    main(__file__)
