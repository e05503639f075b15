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
from proof_endpoint import second_launch
from proof_processes import look_for_a_port, spawn

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    skip,
    snippet_text,
)
from fixbook.recipe.helpers import beside, exit_code, free_port, listens, until

PATIENCE_S = 4.0
STARTED, TOTAL = Path("started"), Path("total")
TWO_RANKS = "torchrun --master-port={port} --nproc-per-node=2 train.py"
TWO_NODES = "torchrun --nnodes=2 --node-rank=0 --master-addr=127.0.0.1 train.py"
PRIVILEGED = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")


def who_holds(port: int) -> bool:
    """Run the page's command; tell whether it names anybody."""
    return bool(run_snippet("who", env={"port": str(port)}).stdout.strip())


def on_a_taken_port(command: str) -> dict[str, Any]:
    """Launch while another job holds a port, ``{port}``."""
    other = first_job()
    launch(command.format(port=other.port))
    return trained()


def trained() -> dict[str, Any]:
    """Read what the training has computed, the port that it was told, and who has it afterwards."""
    port = int(STARTED.read_text("utf-8"))
    return {"total": float(TOTAL.read_text("utf-8")), "port": port, "found": who_holds(port)}


@reproduce()
def port_taken() -> Any:
    """Two jobs were given the same port."""
    return on_a_taken_port(TWO_RANKS)


@fix("any-port", control="port-taken")
def any_port() -> Any:
    """The second asks for any free port."""
    return on_a_taken_port(snippet_text("standalone"))


@fix("another-port", control="port-taken")
def another_port() -> Any:
    """The second has a port of its own; here one that is free for sure."""
    return on_a_taken_port(snippet_text("another-port").replace("29517", str(free_port())))


@non_fix("port-zero", control="port-taken")
def port_zero() -> Any:
    """It reaches the processes, which then ask port 0 for their group."""
    with beside(lambda: on_a_taken_port(TWO_RANKS.format(port=0))) as child:
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
        launch(TWO_NODES)
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


@reproduce()
def port_not_permitted() -> Any:
    """Nobody holds port 22 for torch: an ordinary user may not listen there."""
    if PRIVILEGED.is_file() and int(PRIVILEGED.read_text("utf-8")) <= 22:
        skip("this machine lets everybody listen on port 22")

    def ordinary_user() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        join(22)

    with beside(ordinary_user) as child:
        if exit_code(child):
            raise SystemExit(1)
    return {}


def two_processes(*ranks: int) -> dict[str, Any]:
    """Spawn the two processes of a job, with these ranks."""
    port = free_port()
    spawn(port, ranks)
    return {"total": float(TOTAL.read_text("utf-8")), "found": who_holds(port)}


@reproduce()
def everyone_is_rank_0() -> Any:
    """Each process believes itself to be the one that listens."""
    return two_processes(0, 0)


@fix("rank", control="everyone-is-rank-0")
def one_rank_each() -> Any:
    """The second connects to the first."""
    return two_processes(0, 1)


def two_engines(apart: int) -> dict[str, Any]:
    """Let two engines look for a port, one after the other, before either listens on its own."""
    start = free_port()
    ports = [look_for_a_port(start), look_for_a_port(start + apart)]
    measure(same=ports[0] == ports[1])
    store = first_job(ports[0])
    return {"sum": join(ports[1]), "first": int(store.port == ports[0])}


@reproduce()
def one_port_found_by_two() -> Any:
    """Both look from the same number on, and find the same port free."""
    return two_engines(apart=0)


@fix("engines", control="one-port-found-by-two")
def numbers_far_apart() -> Any:
    """The second looks from another number on."""
    return two_engines(apart=100)


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


@detect(found=True)
def second_launch_waits() -> Any:
    """It becomes a reserve of the first job, and says nothing."""
    return second_launch(same=True)


@detect(found=False, control="second-launch-waits")
def second_launch_of_its_own() -> Any:
    """With an endpoint of its own it starts."""
    return second_launch(same=False)


if __name__ == "__main__":
    main(__file__)
