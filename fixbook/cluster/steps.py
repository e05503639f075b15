"""Run steps as Ray tasks, each where there is room for what it declares.

A task is one step, started cold and tried once. It is judged where it ran, by the node's own
Fixbook; what the node holds must be what is held here, else the step was not run. Whoever loses a
node loses no more than the steps that ran on it.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import RayError

from fixbook.book import load_book
from fixbook.cluster.connection import connected
from fixbook.environment import GIB, hide_gpus, machine
from fixbook.recipe.reading import digests_of, entry_uses, read_outline, versions_for
from fixbook.recipe.record import Node, StepResult, Verdict
from fixbook.recipe.running import (
    Budget,
    Job,
    device_of,
    ended_by_signals,
    expected_seconds,
    gpus_wanted,
    run_step,
)
from fixbook.text import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.author import Step

_LOOK_S = 0.5  # how soon a Ctrl-C is seen
_END_S = 20.0  # for steps that are cancelled to end what they have started


@dataclass(frozen=True, slots=True)
class Asked:
    """One step, as it is sent to a node.

    Attributes:
        job: The step and its entry.
        digest: Of the step here: a node with another one does not run it.
        seconds: How much is left of the run's time.
        gpus: How many GPUs Ray gives it.
    """

    job: Job
    digest: str
    seconds: float
    gpus: int


@dataclass(frozen=True, slots=True)
class Largest:
    """The most that one node of a cluster has; who wants more would wait for ever."""

    cpus: float
    memory: float
    gpus: int

    @classmethod
    def of_cluster(cls) -> Largest:
        """Return it for the nodes that are alive."""
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]

        def most(name: str) -> float:
            return max((node.get(name, 0.0) for node in nodes), default=0.0)

        return cls(most("CPU"), most("memory"), int(most("GPU")))

    def options(self, step: Step, gpus: int) -> dict[str, Any]:
        """Return what a task asks Ray for."""
        return {
            "num_cpus": min(max(1, step.needs.ranks), self.cpus),
            "num_gpus": gpus,
            "memory": int(min(step.needs.memory_gib * GIB, self.memory)),
            "max_retries": 0,  # a step that ends its node would end every one
        }


def run_jobs_on_ray(
    jobs: Iterable[Job],
    index: Index,
    digests: Mapping[tuple[str, str], str],
    address: str,
    *,
    budget: Budget,
    on_gpus: bool = True,
) -> Iterator[StepResult]:
    """Run jobs on a cluster and yield results as they come; see `fixbook.recipe.running.run_jobs`.

    Args:
        jobs: What to run, in the order in which they start.
        index: Compiled signatures.
        digests: Of every step, by entry and name.
        address: Where the cluster is; ``local`` for one of this machine alone.
        budget: Starts no step that does not fit into it, and ends those that run at its end.
        on_gpus: Whether steps for any device take GPUs.

    Yields:
        Results; of a step whose node was lost, ``skipped``.

    Raises:
        BookError: There is no such cluster.
        KeyboardInterrupt: The run was ended by Ctrl-C or SIGTERM; the tasks are cancelled.
    """
    stop = Event()
    with connected(address, gpus=on_gpus), ended_by_signals(stop):
        task, largest, held = ray.remote(_run), Largest.of_cluster(), ray.put(index)
        # No more than can run: what waits here can still be refused for want of time.
        most = max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting = deque(jobs)
        expected = expected_seconds(waiting)
        running: dict[ray.ObjectRef[StepResult], Job] = {}
        try:
            while waiting or running:
                while waiting and len(running) < most:
                    job = waiting.popleft()
                    if refused := budget.refuses(job, expected[job.key]):
                        yield refused
                        continue
                    on = _gpus(job.step, largest) if on_gpus else 0
                    asked = Asked(job, digests[job.key], budget.left(), on)
                    options = largest.options(job.step, on)
                    running[task.options(**options).remote(asked, held)] = job
                ended = ray.wait([*running], timeout=_LOOK_S)[0] if running else []
                for done in ended:
                    yield budget.judged(_result(done, running.pop(done)), stop)
                if stop.is_set():
                    raise KeyboardInterrupt
        finally:
            _cancel(running)


def _gpus(step: Step, largest: Largest) -> int:
    if device_of(step.needs, largest.gpus) == "cpu":
        return 0
    return min(gpus_wanted(step.needs), largest.gpus)  # with fewer, the node says what it lacks


def _result(done: ray.ObjectRef[StepResult], job: Job) -> StepResult:
    try:
        result: StepResult = ray.get(done)
    except RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        # A task's own exception comes last, and what befell its worker first.
        reason = lines[-1] if hasattr(error, "cause") else lines[0]
        said = say("its Ray task ended before the step did: {reason}", reason=reason)
        return StepResult(job.item.slug, job.step, Verdict("skipped", said))
    return result


def _cancel(running: Iterable[ray.ObjectRef[StepResult]]) -> None:
    """End what runs, and wait until its processes are gone; what does not end is killed."""
    left = [*running]
    for one in left:
        ray.cancel(one)
    end = time.monotonic() + _END_S
    while left and time.monotonic() < end:
        left = ray.wait(left, num_returns=len(left), timeout=_LOOK_S)[1]
    for one in left:
        ray.cancel(one, force=True)


def _run(asked: Asked, index: Index) -> StepResult:
    machine.cache_clear()  # this process may have had other GPUs before
    if not asked.gpus:
        hide_gpus()
    step = asked.job.step
    item = _here(asked.job.item)
    if item is None:
        return _refused(asked.job)
    outline = read_outline(item.recipe)
    uses = entry_uses(item, outline)
    if digests_of(item, outline, uses).get(step.name) != asked.digest:
        return _refused(asked.job)
    result = run_step(item, step, index, Budget(asked.seconds).event(Event()))
    return replace(result, node=Node(machine(), versions_for(outline, uses[step.name])))


def _here(item: BookEntry) -> BookEntry | None:
    """Return the entry as this node has it: at the same path, or in the node's own book."""
    if item.recipe.is_file():
        return item
    return load_book(strict=False).entries.get(item.slug)


def _refused(job: Job) -> StepResult:
    node = ray.util.get_node_ip_address()
    said = say("its node {node} holds another state of the book", node=node)
    return StepResult(job.item.slug, job.step, Verdict("skipped", said))
