"""The lines of a demonstration: what was seen of each step, in words for its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fixbook.cli.wrapping import cells, clipped, padded, wrap
from fixbook.environment import installed_version
from fixbook.recipe.running import missing_releases
from fixbook.text import N_, _, in_language, printable, show_figure
from fixbook.trial.versions import with_own_releases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Fix, NonFix
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import Objection, Observation, StepResult
    from fixbook.text import Lang
    from fixbook.trial.stage import Stage

WIDTH = 100
SECTION_TITLES = {
    "reproduce": N_("The failure"),
    "detect": N_("How to notice it"),
    "fix": N_("What helps"),
    "non_fix": N_("What does not"),
}
_LABEL = {"en": 14, "zh": 14}
_SECONDS = 9
_DETAIL = " " * 6
_TWO_LINES = 2 * (WIDTH - len(_DETAIL)) - 20  # words are kept whole
_MOST_MEASURES = 3
_LONGEST_MEASURE = 60
_LOG_LINES = 40


class Transcript:
    """Writes a step down; it knows which stand-ins it has named already.

    Args:
        stage: The entry.
        lang: The language.
        logs: Whether the output of steps is printed, too.
    """

    def __init__(self, stage: Stage, lang: Lang, *, logs: bool) -> None:
        self._stage = stage
        self._lang = lang
        self._logs = logs
        self._reason = self._line = ""
        self.stand_ins: dict[str, int] = {}

    def step(
        self, result: StepResult, seen: Observation, control: StepResult | None
    ) -> Iterator[str]:
        """Yield the lines of one step.

        Args:
            result: How it ended.
            seen: What it shows.
            control: How its control ended, if that ran here.
        """
        seconds = f"{result.outcome.seconds:.1f} s" if result.outcome else ""
        mark, colour = _mark(result.step.kind, seen)
        shows = _(seen.shows)
        head = f"  {mark} {padded(f'{shows} ', _LABEL[self._lang])} "
        title = with_own_releases(self._stage, result.step, self.title(result.step))
        added = self._told_apart(result.step) + self._stand_in(result.step)
        room = WIDTH - cells(head) - _SECONDS
        title = clipped(title, room - cells(added)) + added
        yield (
            click.style(head, fg=colour) + padded(title, room) + seconds.rjust(_SECONDS)
        ).rstrip()
        for text in self._details(result, seen, control):
            yield from wrap(printable(text), WIDTH, _DETAIL, _DETAIL).splitlines()
        if self._logs:
            tail = result.log.rstrip().splitlines()[-_LOG_LINES:]
            yield from (click.style(f"{_DETAIL}│ {printable(line)}", dim=True) for line in tail)

    def title(self, step: Step) -> str:
        """Return what a step does."""
        title = self._stage.item.entry.title_of(step.name, step.target)
        return title.of(self._lang) if title else step.name

    def _told_apart(self, step: Step) -> str:
        """Return the name of a step if others have the same title, which may be cut."""
        title = self.title(step)
        same = [
            one for one in self._stage.run if one.kind == step.kind and self.title(one) == title
        ]
        return f" ({step.name})" if len(same) > 1 else ""

    def advice(self, step: Step) -> str:
        """Return the title of the fix or the advice that a step is one of several cases of."""
        entry = self._stage.item.entry
        advices: list[Fix | NonFix] = [*entry.fixes, *entry.non_fixes]
        title = next((one.title.of(self._lang) for one in advices if one.id == step.target), "")
        return "" if title == self.title(step) else title

    def _stand_in(self, step: Step) -> str:
        simulated = self._stage.item.entry.simulated_in(step.name)
        if simulated is None:
            return ""
        text = " ".join(simulated.of(self._lang).split())
        return f" ◇{self.stand_ins.setdefault(text, len(self.stand_ins) + 1)}"

    def _details(
        self, result: StepResult, seen: Observation, control: StepResult | None
    ) -> Iterator[str]:
        kind = result.step.kind
        if seen.bounded:
            said = in_language(seen.reason, self._lang)
            yield from [] if seen.reason == self._reason else [said]
        elif seen.differs:
            recorded = self._stage.record(result.step.name)
            measures = recorded.measures if recorded else {}
            # Whether a check has found something is what its label says.
            shown = [one for one in seen.differs if one.measure != "found" or kind != "detect"]
            for one in shown:
                yield _difference(one, result.measures, measures, self._lang)
        elif seen.reason:
            said = clipped(in_language(seen.reason, self._lang), 3 * WIDTH)
            yield from [] if seen.reason == self._reason else [said]  # said of the step before
        elif result.step.kind == "reproduce":
            # Two lines: what a message is about often stands behind its first.
            line = clipped(" ".join(result.line.split()), _TWO_LINES)
            yield from [] if line == self._line else [line]  # said of the step before
            self._line = line
        elif measured := self._measures(result, control):
            yield measured
        if beside := _beside(self._stage, result.step):
            yield beside
        self._reason = seen.reason

    def _measures(self, result: StepResult, control: StepResult | None) -> str:
        """Say what a step changes; what is as in its control, or has none, is the label's."""
        claims = self._stage.item.entry.steps[result.step.name]
        if control is None or result.step.kind == "detect":
            return ""
        names = [name for name in (*claims.expect, *claims.in_force) if name != "found"]
        parts = [self._measure(name, result, control) for name in names]
        return _("; ").join([part for part in parts if part][:_MOST_MEASURES])

    def _measure(self, name: str, result: StepResult, control: StepResult) -> str:
        value = _written(result.measures.get(name), self._lang)
        other = _written(control.measures.get(name), self._lang)
        if not value or not other or other == value:
            return ""
        return _("{name} {value} (without it {other})").format(name=name, value=value, other=other)


def _mark(kind: str, seen: Observation) -> tuple[str, str]:
    if seen.shows == "not run" or seen.bounded:
        return "–", "yellow"
    if not seen.as_on_the_page:
        return "!", "yellow"
    return ("✗", "red") if kind == "non_fix" else ("✓", "green")


def _written(value: Any, lang: Lang) -> str:
    """Write a measure down if it is short enough to be read in passing."""
    try:
        spec = ".3g" if isinstance(value, float) else ""
        text = "" if value is None else show_figure(value, spec, lang)
    except TypeError:  # a table
        return ""
    return text if len(text) <= _LONGEST_MEASURE and "\n" not in text else ""


def _difference(
    one: Objection, measures: dict[str, Any], recorded: dict[str, Any], lang: Lang
) -> str:
    """Say what was measured, what the page says, and what was recorded."""
    value, was = (
        _written(measures.get(one.measure), lang),
        _written(recorded.get(one.measure), lang),
    )
    if not one.measure or not value:
        return in_language(one.said, lang)
    template = _("{name} is {value}; the page needs {expected} (recorded: {was})")
    expected = one.expected.removeprefix("== ")
    return template.format(name=one.measure, value=value, expected=expected, was=was or "–")


def _beside(stage: Stage, step: Step) -> str:
    """Say which of the reader's own versions a step with pinned ones is mixed with."""
    pins = missing_releases(step.needs.versions)
    record = stage.record(step.name)
    if not pins or record is None:
        return ""
    pinned = {text.partition("==")[0] for text in pins}
    own = [
        f"{name} {version}"
        for name in record.versions
        if name not in pinned and (version := installed_version(name))
    ]
    said = _("{pinned}, beside your {own}")
    return said.format(pinned=", ".join(pins), own=", ".join(own) or "Python")
