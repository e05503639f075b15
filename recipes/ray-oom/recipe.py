"""Ray's memory monitor ends a task that has done nothing wrong."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "ray==2.60.0", "psutil==7.2.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from pathlib import Path
from typing import Any

import ray
from failure import cluster, of_raylet, output_in_a_file, small_task

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

ENV = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
RAY: dict[str, Any] = {"env": ENV, "needs": ["ray", "psutil"], "timeout_s": 120}
LOW, USUAL = "0.01", "0.99"  # of the node's memory; other processes use more than the first
OLD = "RAY_DEBUG_DISABLE_MEMORY_MONITOR"


def run(threshold: str = LOW, **variables: str) -> dict[str, Any]:
    """Run a small task on a node with that threshold."""
    with cluster(threshold, RAY_memory_monitor_refresh_ms="100", **variables):
        measure(threshold=float(of_raylet("RAY_memory_usage_threshold")), old=of_raylet(OLD))
        try:
            return {"answer": ray.get(small_task())}
        except ray.exceptions.OutOfMemoryError as error:
            # The rest of it lists the processes of this machine.
            raise ray.exceptions.OutOfMemoryError(str(error).partition("\n")[0]) from None


def whose(threshold: str) -> dict[str, Any]:
    """Read in the message what the victim had used, and what the node had."""
    with cluster(threshold, RAY_memory_monitor_refresh_ms="100"):
        try:
            ray.get(small_task())
        except ray.exceptions.OutOfMemoryError as error:
            said = str(error)
            read = snippet("whose", message=said)
            measure(killed=len(read["victims"]), top="Top 10 memory users" in said)
            return {"found": True, "victim": sum(read["victims"]), "node": read["node"]}
    return {"found": False}


def retried(threshold: str) -> dict[str, Any]:
    """Allow one retry, wait for an answer, and count how often the task was started."""
    with (
        output_in_a_file() as said,
        cluster(threshold, RAY_memory_monitor_refresh_ms="100"),
    ):
        try:
            answer = ray.get(small_task(retries=1), timeout=20)
        except ray.exceptions.GetTimeoutError:
            answer = "none"
        starts = len(Path("starts").read_text())
    measure(infinite="There are infinite oom retries remaining" in said.read_text())
    return {"found": answer == "none", "answer": answer, "starts": starts}


@reproduce(**RAY)
def killed() -> dict[str, Any]:
    """The node is over the threshold, whoever uses its memory."""
    return run()


@fix("room", control="killed", **RAY)
def below_the_threshold() -> dict[str, Any]:
    """The same node, with room up to the threshold."""
    return run(USUAL)


@non_fix("old-variable", control="killed", **RAY)
def with_the_old_variable() -> dict[str, Any]:
    """A variable of another time."""
    return run(RAY_DEBUG_DISABLE_MEMORY_MONITOR="1")


@detect(found=True, **RAY)
def names_the_victim() -> dict[str, Any]:
    """The victim had next to nothing."""
    return whose(LOW)


@detect(found=False, control="names-the-victim", **RAY)
def no_victim() -> dict[str, Any]:
    """Nobody is killed."""
    return whose(USUAL)


@detect(found=True, record_once="it waits for retries that never end", **RAY)
def retried_for_ever() -> dict[str, Any]:
    """No error, and no answer."""
    return retried(LOW)


@detect(found=False, control="retried-for-ever", **RAY)
def answered() -> dict[str, Any]:
    """The answer, at once."""
    return retried(USUAL)


if __name__ == "__main__":
    main(__file__)
