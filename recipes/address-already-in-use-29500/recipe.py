"""The port on which a job gathers its processes is taken, by another job or by itself."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

from failure import first_job, join, launch

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet
from fixbook.recipe.helpers import beside, exit_code, free_port, listens, until

PATIENCE_S = 4.0
STARTED, TOTAL = Path("started"), Path("total")
TWO_NODES = ["--nnodes=2", "--node-rank=0", "--master-addr=127.0.0.1"]


def who_holds(port: int) -> bool:
    """Run the page's command; tell whether it names anybody."""
    return bool(run_snippet("who", env={"port": str(port)}).stdout.strip())


def on_a_taken_port(*options: str) -> dict[str, Any]:
    """Launch while another job holds a port, ``{port}``; ``{free}`` is a free one."""
    other = first_job()
    launch(*[text.format(port=other.port, free=free_port()) for text in options])
    return trained()


def trained() -> dict[str, Any]:
    """Read what the training has computed, the port that it was told, and who has it afterwards."""
    port = int(STARTED.read_text("utf-8"))
    return {"total": float(TOTAL.read_text("utf-8")), "port": port, "found": who_holds(port)}


@reproduce()
def port_taken() -> Any:
    """Two jobs were given the same port."""
    return on_a_taken_port("--master-port={port}")


@fix("any-port", control="port-taken")
def any_port() -> Any:
    """The second asks for any free port."""
    return on_a_taken_port("--standalone")


@fix("another-port", control="port-taken")
def another_port() -> Any:
    """The second has a port of its own."""
    return on_a_taken_port("--master-port={free}")


@non_fix("port-zero", control="port-taken")
def port_zero() -> Any:
    """It reaches the process, which then asks port 0 for its group."""
    with beside(lambda: on_a_taken_port("--master-port=0")) as child:
        until(STARTED.exists)
        measure(master_port=int(STARTED.read_text("utf-8")))
        measure(waited_s=PATIENCE_S)
        if exit_code(child, PATIENCE_S) is None:
            raise TimeoutError(f"nothing happened for {PATIENCE_S:.0f} s")
    return trained()


def on_two_nodes() -> dict[str, Any]:
    """Launch the first of two nodes while its default port is taken."""
    # Where it is taken already, by whoever, that will do.
    with socket.socket() as holder:
        try:
            holder.bind(("", 29500))
            holder.listen()
        except OSError:
            measure(held_by="somebody else")
        measure(variable=os.environ.get("MASTER_PORT", "none"))
        launch(*TWO_NODES)
    return trained()


@reproduce()
def default_port_taken() -> Any:
    """Several nodes, and no port given: it is 29500."""
    return on_two_nodes()


@non_fix("variable", control="default-port-taken", env={"MASTER_PORT": "29517"})
def variable() -> Any:
    """What torchrun does not read."""
    return on_two_nodes()


def beside_a_connection(*, same_port: bool) -> dict[str, Any]:
    """Join on a port while a connection to somewhere has it as its own end, or another one."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as connection,
    ):
        port = connection.getsockname()[1]
        return {"sum": join(port if same_port else free_port())}


@reproduce()
def taken_by_a_connection() -> Any:
    """Nobody listens there, and it is taken."""
    return beside_a_connection(same_port=True)


@fix("another-port", control="taken-by-a-connection")
def below_the_connections() -> Any:
    """A port that the system gives to no connection."""
    return beside_a_connection(same_port=False)


def two_processes(rank_of_second: int) -> dict[str, Any]:
    """Start two processes of one job, the first of which is rank 0."""
    port = free_port()
    with beside(lambda: join(port, rank=0, world=2)):
        until(lambda: listens(port))
        return {"sum": join(port, rank=rank_of_second, world=2)}


@reproduce()
def everyone_is_rank_0() -> Any:
    """Each process believes itself to be the one that listens."""
    return two_processes(0)


@fix("rank", control="everyone-is-rank-0")
def one_rank_each() -> Any:
    """The second connects to the first."""
    return two_processes(1)


def after_the_failure(*, holder_ends: bool) -> dict[str, Any]:
    """Fail on a port, then ask who holds it: a job that stays, or one that ends too."""
    port, found = free_port(), False
    with beside(lambda: join(port, rank=0, world=2)):
        until(lambda: listens(port))
        with beside(lambda: join(port, rank=0, world=2)) as failing:
            measure(exit_code=exit_code(failing))
        if not holder_ends:
            found = who_holds(port)
    return {"found": found or who_holds(port)}


@detect(found=True)
def held_by_another_job() -> Any:
    """The other job is still there after the failure."""
    return after_the_failure(holder_ends=False)


@detect(found=False, control="held-by-another-job")
def held_by_its_own_job() -> Any:
    """All who held it have ended with it."""
    return after_the_failure(holder_ends=True)


if __name__ == "__main__":
    main(__file__)
