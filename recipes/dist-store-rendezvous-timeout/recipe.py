"""Some process of the job does not come, comes late, or asks at the wrong place."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from failure import join, launch
from proof_asked import asked, web_server
from proof_nodes import two_hosts
from proof_own_name import alone

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet_text
from fixbook.recipe.helpers import beside, free_port, listens, until

IP: Any = {"programs": ["ip"]}
ONCE: Any = {**IP, "record_once": "torchrun goes on trying until it is given up"}
OWN_ADDRESS = (
    'dist.init_process_group("gloo", init_method="tcp://127.0.0.1:{port}", world_size=2,'
    ' rank=int(os.environ["RANK"]), timeout=datetime.timedelta(seconds=2))'
)


@reproduce(**IP)
def node_ranks_alike() -> Any:
    """Both nodes were told that they are the first."""
    return two_hosts(0, 0)


@fix("same-world", control="node-ranks-alike", **IP)
def node_ranks_differ() -> Any:
    """One command on both, and each its own node rank."""
    return two_hosts(0, 1)


def rank_1(
    address: str = "127.0.0.1", *, wrong_port: bool = False, world: int = 2, ask: bool = False
) -> dict[str, Any]:
    """Be rank 1 of a job whose rank 0 is there; ``ask`` runs what the page offers instead."""
    port = free_port()
    with beside(lambda: join(port, 0, timeout_s=30)):
        until(lambda: listens(port))
        there = free_port() if wrong_port else port
        if ask:
            said = asked(address, there, world)
            return {"found": said != "connected", "said": said}
        return {"sum": join(there, 1, world=world, address=address)}


@reproduce()
def worlds_differ() -> Any:
    """The second node was told of one process more."""
    return rank_1(world=3)


@fix("same-world", control="worlds-differ")
def worlds_agree() -> Any:
    """Both were told the same."""
    return rank_1(world=2)


@reproduce()
def nobody_listens() -> Any:
    """Another port than that of rank 0."""
    return rank_1(wrong_port=True)


@fix("address", control="nobody-listens")
def right_port() -> Any:
    """The same port."""
    return rank_1(wrong_port=False)


@reproduce()
def name_unknown() -> Any:
    """A name that this machine does not know."""
    return rank_1("node0.invalid")


@reproduce()
def something_else_answers() -> Any:
    """On that port there is a web server, or a proxy."""
    port = free_port()
    with beside(lambda: web_server(port)):
        until(lambda: listens(port))
        return {"sum": join(port, 1)}


@detect(found=True)
def asks_for_an_unknown_name() -> Any:
    """The name is not known here."""
    return rank_1("node0.invalid", ask=True)


@detect(found=True)
def asks_where_nobody_listens() -> Any:
    """Nobody listens there."""
    return rank_1(wrong_port=True, ask=True)


@detect(found=False, control="asks-where-nobody-listens")
def asks_rank_0() -> Any:
    """Rank 0 is there."""
    return rank_1(wrong_port=False, ask=True)


def rank_0(*, other_comes: bool = False, late_s: float = 0.0, timeout_s: float = 2.0) -> Any:
    """Be rank 0 of two, beside the other or alone; whoever comes says what the page asks."""
    port, began, line = free_port(), time.monotonic(), Path("said-by-rank-1")

    def other() -> None:
        if other_comes:
            until(lambda: listens(port))
            line.write_text(asked("127.0.0.1", port), "utf-8")
            join(port, 1, late_s=late_s, timeout_s=timeout_s)

    with beside(other):
        try:
            return {"sum": join(port, 0, timeout_s=timeout_s)}
        finally:
            measure(waited_s=time.monotonic() - began)
            measure(found=not line.exists() or line.read_text("utf-8") != "connected")


@reproduce()
def one_is_missing() -> Any:
    """The other process has ended before it came to this point."""
    return rank_0(other_comes=False)


@fix("missing", control="one-is-missing")
def all_are_there() -> Any:
    """It comes."""
    return rank_0(other_comes=True)


@non_fix("longer", control="one-is-missing")
def longer_for_nobody() -> Any:
    """The wait is longer, and nobody comes."""
    return rank_0(other_comes=False, timeout_s=5)


@reproduce()
def one_is_late() -> Any:
    """The other process does something else first, for longer than it is waited for."""
    return rank_0(other_comes=True, late_s=4)


@fix("late", control="one-is-late")
def waited_for() -> Any:
    """It is waited for."""
    return rank_0(other_comes=True, late_s=4, timeout_s=30)


def under_torchrun(group: str) -> dict[str, float]:
    """Launch two processes whose script has this line for its group."""
    launch("torchrun --standalone --nproc-per-node=2 train.py", group.format(port=free_port()))
    return {"sum": float(Path("sum").read_text("utf-8"))}


@reproduce()
def script_with_its_own_address() -> Any:
    """Under torchrun every process of the script connects, and none listens."""
    return under_torchrun(OWN_ADDRESS)


@fix("told-by-torchrun", control="script-with-its-own-address")
def address_of_torchrun() -> Any:
    """The address where torchrun listens."""
    return under_torchrun(snippet_text("told-by-torchrun"))


@reproduce(**ONCE)
def own_name_is_a_number() -> Any:
    """The name is read as an address."""
    return alone("")


@fix("own-name", control="own-name-is-a-number", **ONCE)
def own_address() -> Any:
    """They are told an address instead."""
    return alone("--local-addr=127.0.0.1")


if __name__ == "__main__":
    main(__file__)
