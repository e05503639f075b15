"""Which steps a run of ``fixbook verify`` has to take, and which it need not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fixbook.recipe.reading import Outline, digests_of, read_outline, with_libraries
from fixbook.recipe.running import Job, changed_steps, shard, stale_here, steps_run_once
from fixbook.trial.stage import choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fixbook.book import BookEntry
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import StepResult

Only = Literal["all", "stale", "stale with controls"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for.

    Attributes:
        names: Steps by name; none for all.
        device: Only steps for this device.
        machine_name: Name of the evidence files; by default ``cpu`` or the GPU's model.
        only: Whether those run alone whose record does not count any more, with or without the
            controls that they are judged beside.
        again: Whether steps run that are recorded once, and are.
        shard: Part I of N.
    """

    names: Sequence[str] = ()
    device: str | None = None
    machine_name: str | None = None
    only: Only = "all"
    again: bool = False
    shard: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """One entry of a run.

    Attributes:
        item: The entry.
        outline: Its recipe.
        digests: Of every step, before the run.
        steps: Those that run.
        known: Results of those that need not.
    """

    item: BookEntry
    outline: Outline
    digests: Mapping[str, str]
    steps: Sequence[Step]
    known: Sequence[StepResult]


def plan(items: Iterable[BookEntry], wanted: Wanted) -> dict[str, Planned]:
    """Choose the steps of some entries.

    Args:
        items: The entries.
        wanted: What was asked for.

    Raises:
        BookError: A recipe or a record cannot be read.
    """
    return {item.slug: _planned(item, wanted) for item in items}


def _planned(item: BookEntry, wanted: Wanted) -> Planned:
    outline = read_outline(item.recipe)
    steps = with_libraries(item, outline, choose(outline, wanted.names, wanted.device))
    why = stale_here(item, outline, wanted.machine_name)
    if wanted.only == "stale":
        steps = [step for step in steps if step.name in why]
    elif wanted.only == "stale with controls":
        steps = changed_steps(steps, outline, why)
    once = {} if wanted.again else steps_run_once(item, steps, why)
    run = [step for step in steps if step.name not in once]
    return Planned(item, outline, digests_of(item, outline), run, list(once.values()))


def jobs_of(planned: Iterable[Planned], wanted: Wanted) -> list[Job]:
    """Return the steps that run, or the asked part of them."""
    jobs = [Job(one.item, step) for one in planned for step in one.steps]
    return shard(jobs, *wanted.shard) if wanted.shard else jobs
