"""One line per finished step, with what is left: nobody should watch a silent run for minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.cli.report import status
from fixbook.recipe.running import Remaining

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.recipe.record import StepResult
    from fixbook.recipe.running import Job
    from fixbook.text import Lang

_WORDS = {
    "en": {"of": "{done} of {all}", "min": "about {n} min left", "s": "about {n} s left"},
    "zh": {"of": "{done}/{all}", "min": "约剩 {n} 分钟", "s": "约剩 {n} 秒"},
}
_MINUTE_S = 60
_SHOW_MINUTES_FROM_S = 90


class Progress:
    """Says after each step how far a run has come."""

    def __init__(self, jobs: Sequence[Job], lang: Lang) -> None:
        self._remaining = Remaining(jobs)
        self._lang = lang

    def line(self, result: StepResult) -> str:
        """Return the line for a step that has just finished.

        Args:
            result: Its result.
        """
        left_s = self._remaining.finish((result.slug, result.step.name))
        words = _WORDS[self._lang]
        verdict = status(result, self._lang)
        seconds = f"{result.outcome.seconds:.1f} s" if result.outcome else "–"
        parts = [words["of"].format(done=self._remaining.finished, all=self._remaining.count)]
        if self._remaining.finished < self._remaining.count:
            minutes = left_s >= _SHOW_MINUTES_FROM_S
            shown = round(left_s / _MINUTE_S) if minutes else round(left_s)
            parts.append(words["min" if minutes else "s"].format(n=shown))
        joined = ("，" if self._lang == "zh" else ", ").join(parts)
        return f"{verdict:7} {seconds:>7}  {result.slug}/{result.step.name}  ({joined})"
