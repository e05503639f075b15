"""What was seen of a step, as an article shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.text import joined, show_figure
from generator.text.code import Code
from generator.view.badges import Badge, badge_of
from generator.view.logs import Excerpt, around, tail
from generator.view.status import Sighting, best
from generator.view.tables import cell, rows_table, scalars, tables

if TYPE_CHECKING:
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import StepRecord
    from fixbook.text import Lang
    from generator.text.strings import Words
    from generator.view.library import Dossier, Library

_BEFORE, _AFTER, _TAIL = 3, 4, 10


@dataclass(frozen=True, slots=True)
class RunView:
    """The strongest record of a step.

    Attributes:
        step: The step.
        simulated: Whether a part of what ran is a stand-in.
        sighting: The record, and whether it counts.
        excerpt: The deciding part of the recorded log; None if there is no log.
        words: Strings of the language.
    """

    step: Step
    simulated: bool
    sighting: Sighting
    excerpt: Excerpt | None
    words: Words

    @property
    def record(self) -> StepRecord | None:
        """The record, if the step has run."""
        return self.sighting.record if self.sighting.seen else None

    @property
    def measures(self) -> dict[str, Any]:
        """What the step recorded."""
        return self.record.measures if self.record else {}

    @property
    def badge(self) -> Badge:
        """The verdict; it says so if a part of what ran was simulated."""
        badge = badge_of(self.step, self.sighting, self.words)
        partly = self.simulated and self.sighting.state == "passed"
        return badge.simulated(self.words) if partly else badge

    @property
    def where(self) -> str:
        """Machine, day, seconds and memory of the run."""
        record = self.record
        if record is None:
            return ""
        parts = [f"`{self.sighting.machine}`", self.sighting.date]
        if record.seconds is not None:
            parts.append(show_figure(record.seconds, "seconds", self.words.lang))
        if record.peak_mib:
            parts.append(self.words("peak", mib=f"{record.peak_mib:,.0f}"))
        return " · ".join(parts)

    @property
    def reason(self) -> str:
        """Why the step has not run, or what has changed since; empty if it counts."""
        if self.sighting.state == "passed" or not self.sighting.reasons:
            return ""
        return joined(self.sighting.reasons).of(self.words.lang)

    @property
    def pairs(self) -> str:
        """All plain measures on one line; empty if there are none."""
        return " ".join(_pair(n, v, self.words.lang) for n, v in scalars(self.measures).items())

    @property
    def tables(self) -> dict[str, str]:
        """Measures that are tables, by name."""
        return {n: rows_table(rows, self.words.lang) for n, rows in tables(self.measures).items()}

    @property
    def output(self) -> Code:
        """The deciding part of what it printed."""
        excerpt = self.excerpt or Excerpt("", whole=True)
        title = self.words("output" if excerpt.whole else "output_excerpt")
        return Code(excerpt.text, title=title, marked=(excerpt.line,) if excerpt.line else ())


def run_view(step: Step, dossier: Dossier, library: Library, words: Words) -> RunView:
    """Return what was seen of a step of an entry."""
    sighting = best(dossier, step)
    simulated = dossier.entry.simulated_in(step.name) is not None
    return RunView(step, simulated, sighting, _excerpt(sighting, dossier, library), words)


def _pair(name: str, value: Any, lang: Lang) -> str:
    return f'<span class="fb-pair">`{name}` {cell(value, lang)}</span>'


def _excerpt(sighting: Sighting, dossier: Dossier, library: Library) -> Excerpt | None:
    log = sighting.record.log if sighting.record and sighting.seen else ""
    if not log.strip():
        return None
    finding = library.logs.decides(log, dossier)
    if finding is None:
        return tail(log, _TAIL)
    return around(log, finding.line.number, _BEFORE, _AFTER)
