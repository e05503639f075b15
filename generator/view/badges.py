"""Verdicts as an icon and words; the colour only repeats them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.recipe.author import Step
    from generator.text.strings import Words
    from generator.view.status import Sighting

_ICONS = {
    "passed": "✓",
    "refuted": "✗",
    "stale": "↻",
    "skipped": "–",
    "no-gpu": "○",
    "not-run": "○",
    "claim-confirmed": "✓",
    "claim-partly": "◐",
    "claim-wrong": "✗",
    "claim-unsupported": "?",
    "level-proven": "✓",
    "level-upstream": "↗",
    "level-inferred": "≈",
    "level-unknown": "?",
    "shown-failure-on-gpu": "✓",
    "shown-failure-on-cpu": "✓",
    "shown-failure-partly-simulated": "✓",
    "shown-mechanism": "◐",
    "shown-nothing": "○",
}


@dataclass(frozen=True, slots=True)
class Badge:
    """A verdict.

    Attributes:
        state: What decides its icon and colour.
        text: What it says.
    """

    state: str
    text: str

    @property
    def plain(self) -> str:
        """The badge as text."""
        return f"{_ICONS[self.state]} {self.text}"

    def simulated(self, words: Words) -> Badge:
        """The same verdict, saying that not all of what it rests on was real."""
        return Badge(self.state, words("partly_simulated", verdict=self.text))

    def __str__(self) -> str:
        """Return the badge as HTML."""
        return f'<span class="fb-badge fb-badge--{self.state}">{self.plain}</span>'


def badge_of(step: Step, sighting: Sighting, words: Words) -> Badge:
    """Return the verdict on one step."""
    if sighting.state != "passed":
        return Badge(sighting.state, words("state_" + sighting.state.replace("-", "_")))
    if step.kind == "non_fix":
        return Badge("refuted", words("passed_non_fix"))
    key = step.kind if step.found is None else f"detect_{str(step.found).lower()}"
    return Badge("passed", words(f"passed_{key}"))
