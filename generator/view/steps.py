"""One step of a recipe as an article shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.text import in_language, joined, show_figure
from generator.text.code import Code
from generator.text.markup import inline
from generator.view.badges import Badge, badge_of
from generator.view.logs import Excerpt, around, tail
from generator.view.status import Sighting, best
from generator.view.tables import cell, rows_table, scalars, tables

if TYPE_CHECKING:
    from fixbook.book import Entry, StepClaims
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import StepRecord
    from fixbook.text import Lang
    from generator.text.strings import Words
    from generator.view.library import Dossier, Library

_BEFORE, _AFTER, _TAIL = 3, 4, 10
_FEW = 2
_MACHINES = {"any": "needs_any", "cpu": "needs_cpu"}


@dataclass(frozen=True, slots=True)
class StepView:
    """A step, what the entry says of it, and what was seen.

    Attributes:
        step: The step.
        entry: The entry it belongs to.
        control_target: Id of the fix or non-fix that its control executes; mostly empty.
        sighting: The strongest record of it.
        code: Source of its function.
        excerpt: The deciding part of its recorded log; None if there is no log.
        words: Strings of the language.
    """

    step: Step
    entry: Entry
    control_target: str
    sighting: Sighting
    code: str
    excerpt: Excerpt | None
    words: Words

    @property
    def id(self) -> str:
        """Name of the step."""
        return self.step.name

    @property
    def lang(self) -> Lang:
        """Language of the article."""
        return self.words.lang

    @property
    def title(self) -> str:
        """What the step does, on one line of Markdown."""
        text = self.entry.title_of(self.id, self.target)
        return inline(text.of(self.lang)) if text else self.id

    @property
    def claims(self) -> StepClaims | None:
        """What the entry says of it."""
        return self.entry.steps.get(self.id)

    @property
    def anchor(self) -> str:
        """Where on the entry's evidence page its code and output stand."""
        return f"step-{self.id}"

    @property
    def target(self) -> str:
        """The fix or non-fix it executes; empty for other steps."""
        return self.step.target

    @property
    def output(self) -> Code:
        """The deciding part of what it printed."""
        excerpt = self.excerpt or Excerpt("", whole=True)
        title = self.words("output" if excerpt.whole else "output_excerpt")
        return Code(excerpt.text, title=title, marked=(excerpt.line,) if excerpt.line else ())

    @property
    def control_title(self) -> str:
        """What the failing step does that this one is compared with; empty if there is none."""
        name = self.step.control
        text = self.entry.title_of(name, self.control_target) if name else None
        return inline(text.of(self.lang)) if text else name

    @property
    def differs(self) -> str:
        """What else differs from the control, as Markdown; empty if nothing does."""
        text = self.claims.differs if self.claims else None
        return text.of(self.lang) if text else ""

    @property
    def recorded_once(self) -> str:
        """Why it is recorded once and not run every time; empty if it is."""
        return in_language(self.step.needs.record_once, self.lang)

    @property
    def simulated(self) -> str:
        """What of it is a stand-in, as Markdown; empty if nothing is."""
        text = self.entry.simulated_in(self.id)
        return text.of(self.lang) if text else ""

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
            parts.append(show_figure(record.seconds, "seconds", self.lang))
        if record.peak_mib:
            parts.append(self.words("peak", mib=f"{record.peak_mib:,.0f}"))
        return " · ".join(parts)

    @property
    def needs(self) -> str:
        """What the step asks of a machine, with every version it names."""
        names = (*self.step.needs.versions, *self.step.needs.packages)
        return self.words("comma").join([self.machine, *(f"`{name}`" for name in names)])

    @property
    def machine(self) -> str:
        """The kind of machine the step asks for, and how many processes it starts."""
        needs = self.step.needs
        parts = [self.words(_MACHINES.get(needs.on, "needs_gpu"))]
        if needs.on.startswith("cuda>="):
            parts[0] = self.words("needs_gpus", count=needs.on.removeprefix("cuda>="))
        if needs.ranks > 1:
            parts.append(self.words("needs_ranks", count=needs.ranks))
        return self.words("comma").join(parts)

    @property
    def versions(self) -> str:
        """The overlay of the step in a few words: its first packages, and how many more."""
        names = [name.replace("==", " ") for name in self.step.needs.versions]
        more = f" +{len(names) - _FEW}" if len(names) > _FEW else ""
        return ", ".join(names[:_FEW]) + more

    @property
    def reason(self) -> str:
        """Why the step has not run, or what has changed since; empty if it counts."""
        if self.sighting.state == "passed" or not self.sighting.reasons:
            return ""
        return joined(self.sighting.reasons).of(self.lang)

    @property
    def pairs(self) -> str:
        """All plain measures on one line; empty if there are none."""
        return " ".join(_pair(n, v, self.lang) for n, v in scalars(self.measures).items())

    @property
    def tables(self) -> dict[str, str]:
        """Measures that are tables, by name."""
        return {n: rows_table(rows, self.lang) for n, rows in tables(self.measures).items()}


def _pair(name: str, value: Any, lang: Lang) -> str:
    return f'<span class="fb-pair">`{name}` {cell(value, lang)}</span>'


def step_views(dossier: Dossier, library: Library, words: Words) -> dict[str, StepView]:
    """Return all steps of an entry, in the order of the recipe."""
    return {
        name: StepView(
            step=step,
            entry=dossier.entry,
            control_target=_target(dossier, step.control),
            sighting=(sighting := best(dossier, step)),
            code=dossier.outline.code[name],
            excerpt=_excerpt(sighting, dossier, library),
            words=words,
        )
        for name, step in dossier.outline.steps.items()
    }


def _target(dossier: Dossier, name: str) -> str:
    control = dossier.outline.steps.get(name)
    return control.target if control else ""


def _excerpt(sighting: Sighting, dossier: Dossier, library: Library) -> Excerpt | None:
    log = sighting.record.log if sighting.record and sighting.seen else ""
    if not log.strip():
        return None
    finding = library.logs.decides(log, dossier)
    if finding is None:
        return tail(log, _TAIL)
    return around(log, finding.line.number, _BEFORE, _AFTER)
