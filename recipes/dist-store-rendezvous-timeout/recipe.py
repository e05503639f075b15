"""Some process of the job does not come, comes late, or asks at the wrong place."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import os
import socket
import time
from typing import Any
from unittest import mock

from failure import join

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import beside, free_port, listens, until


def rank_0(*, other_comes: bool = False, late_s: float = 0.0, timeout_s: float = 2.0) -> Any:
    """Be rank 0 of two, beside the other or alone."""
    port, began = free_port(), time.monotonic()

    def other() -> None:
        if other_comes:
            join(port, 1, late_s=late_s, timeout_s=timeout_s)

    with beside(other):
        try:
            return {"sum": join(port, 0, timeout_s=timeout_s)}
        finally:
            measure(waited_s=time.monotonic() - began)


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


def rank_1(
    address: str = "127.0.0.1", *, wrong_port: bool = False, world: int = 2, ask: bool = False
) -> dict[str, Any]:
    """Be rank 1 of a job whose rank 0 is there; ``ask`` runs what the page offers instead."""
    port = free_port()
    with beside(lambda: join(port, 0, timeout_s=30)):
        until(lambda: listens(port))
        there = free_port() if wrong_port else port
        if ask:
            told = {"RANK": "1", "WORLD_SIZE": str(world)}
            with mock.patch.dict(os.environ, MASTER_ADDR=address, MASTER_PORT=str(there), **told):
                said = snippet("ask")["said"]
            return {"found": said != "connected", "said": said}
        return {"sum": join(there, 1, world=world, address=address)}


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


@fix("address", control="name-unknown")
def name_known() -> Any:
    """An address."""
    return rank_1("127.0.0.1")


@reproduce()
def worlds_differ() -> Any:
    """The second node was told of one process more."""
    return rank_1(world=3)


@fix("same-world", control="worlds-differ")
def worlds_agree() -> Any:
    """Both were told the same."""
    return rank_1(world=2)


def web_server(port: int) -> None:
    """Answer what is no request of HTTP as nginx does."""
    with socket.create_server(("127.0.0.1", port)) as server:
        while True:
            connection, _ = server.accept()
            with contextlib.suppress(ConnectionError), connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                connection.recv(4096)


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


if __name__ == "__main__":
    main(__file__)
