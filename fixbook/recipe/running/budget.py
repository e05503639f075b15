"""The time that a whole run may take."""

from __future__ import annotations

import dataclasses
import math
import time
from threading import Event
from typing import TYPE_CHECKING

from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.text import say

if TYPE_CHECKING:
    from fixbook.recipe.running.schedule import Job

_POLL_S = 0.2


class Budget:
    """Counts from when it is made.

    Args:
        seconds: Wall-clock seconds for all steps together; None for as long as they take.

    Attributes:
        unfinished: Entry and step of those that were not started, or ended for want of time.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = math.inf if seconds is None else seconds
        self._end = time.monotonic() + self._seconds
        self.unfinished: set[tuple[str, str]] = set()

    def left(self) -> float:
        """Return the seconds that are left."""
        return self._end - time.monotonic()

    def refuses(self, job: Job, expected_s: float) -> StepResult | None:
        """Return the result of a step that is likely to take longer than is left.

        Args:
            job: The step.
            expected_s: How long it is likely to take, in seconds.

        Returns:
            ``skipped`` with the reason; None if the step may start.
        """
        left = max(0.0, self.left())
        if expected_s <= left:
            return None
        what = say(
            "not started: {left} s of {all} s were left",
            left=f"{left:.0f}",
            all=f"{self._seconds:g}",
        )
        return self._unfinished(StepResult(job.item.slug, job.step, Verdict("skipped", what)))

    def event(self, stop: Event) -> Event:
        """Return an event that is set with another one, or when the time is over."""
        return stop if math.isinf(self._end) else _Over(stop, self._end)

    def judged(self, result: StepResult, stop: Event) -> StepResult:
        """Return a result; a step that was ended for want of time has shown nothing."""
        if not result.outcome or result.outcome.stopped != "interrupted" or stop.is_set():
            return result
        what = say("not finished: the {all} s of the run were over", all=f"{self._seconds:g}")
        return self._unfinished(dataclasses.replace(result, verdict=Verdict("skipped", what)))

    def _unfinished(self, result: StepResult) -> StepResult:
        self.unfinished.add((result.slug, result.step.name))
        return result


class _Over(Event):
    def __init__(self, stop: Event, end: float) -> None:
        super().__init__()
        self._stop = stop
        self._end = end

    def is_set(self) -> bool:
        return self._stop.is_set() or time.monotonic() >= self._end

    def wait(self, timeout: float | None = None) -> bool:
        self._stop.wait(_POLL_S if timeout is None else timeout)
        return self.is_set()
