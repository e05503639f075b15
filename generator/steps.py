"""One step of a recipe as an article shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.figures import show
from generator.logs import Excerpt, around, decides, tail
from generator.markup import inline, plain
from generator.status import Sighting, best, needs_gpu
from generator.tables import cell, rows_table, scalars, tables

if TYPE_CHECKING:
    from fixbook.entry import Lang, Text
    from fixbook.proof import StepClaims
    from fixbook.recipe.evidence import StepRecord
    from fixbook.recipe.steps import Step
    from generator.library import Dossier, Library
    from generator.strings import Words

KINDS = ("reproduce", "detect", "fix", "non_fix")
_BEFORE, _AFTER, _TAIL = 3, 4, 10
_HEADLINE = 3
_FEW = 2
_ICONS = {"passed": "✓", "stale": "↻", "skipped": "–", "no-gpu": "○", "not-run": "○"}


@dataclass(frozen=True, slots=True)
class StepView:
    """A step, what the entry says of it, and what was seen.

    Attributes:
        step: The step.
        claims: What the entry says of it.
        title_text: What it does, in both languages.
        simulated: What is not real in it.
        sighting: The strongest record of it.
        code: Source of its function.
        excerpt: The deciding part of its recorded log; None if there is no log.
        words: Strings of the language.
    """

    step: Step
    claims: StepClaims | None
    title_text: Text | None
    simulated: Text | None
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
        return inline(self.title_text.of(self.lang)) if self.title_text else self.id

    @property
    def label(self) -> str:
        """What the step does, as plain text."""
        return plain(self.title)

    @property
    def link(self) -> str:
        """The title, linked to the step's code and output."""
        return f"[{self.title}](#step-{self.id})"

    @property
    def record(self) -> StepRecord | None:
        """The record, if the step has run."""
        return self.sighting.record if self.sighting.seen else None

    @property
    def measures(self) -> dict[str, Any]:
        """What the step recorded."""
        return self.record.measures if self.record else {}

    @property
    def badge(self) -> str:
        """The verdict as an icon and words."""
        return badge_of(self.step, self.sighting, self.words)

    @property
    def where(self) -> str:
        """Machine, day, seconds and memory of the run."""
        record = self.record
        if record is None:
            return ""
        parts = [f"`{self.sighting.machine}`", self.sighting.date]
        if record.seconds is not None:
            parts.append(show(record.seconds, "seconds", self.lang))
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
        parts = [self.words("needs_gpu" if needs_gpu(self.step) else "needs_cpu")]
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
        return "; ".join(self.sighting.reasons) if self.sighting.state != "passed" else ""

    @property
    def headline(self) -> str:
        """The measures that the entry makes claims about, on one line."""
        if not self.claims:
            return ""
        shown = {n: self.measures[n] for n in self.claims.expect if n in self.measures}
        named = {n: v for n, v in scalars(shown).items() if n != "found"}
        pairs = [_pair(name, value, self.lang) for name, value in named.items()]
        return " ".join(pairs[:_HEADLINE])

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


def badge(state: str, text: str, icon: str = "") -> str:
    """Return a verdict as an icon and words; the colour only repeats them."""
    sign = icon or _ICONS[state]
    return f'<span class="fb-badge fb-badge--{state}">{sign} {text}</span>'


def badge_of(step: Step, sighting: Sighting, words: Words) -> str:
    """Return the badge of one step."""
    if sighting.state != "passed":
        return badge(sighting.state, words("state_" + sighting.state.replace("-", "_")))
    if step.kind == "non_fix":
        return badge("refuted", words("passed_non_fix"), "✗")
    key = step.kind if step.found is None else f"detect_{str(step.found).lower()}"
    return badge("passed", words(f"passed_{key}"))


def step_views(dossier: Dossier, library: Library, words: Words) -> dict[str, StepView]:
    """Return all steps of an entry, in the order of the recipe."""
    return {
        name: StepView(
            step=step,
            claims=dossier.entry.steps.get(name),
            title_text=dossier.entry.title_of(name, step.target),
            simulated=dossier.entry.simulated_in(name),
            sighting=(sighting := best(dossier, step)),
            code=dossier.outline.code[name],
            excerpt=_excerpt(sighting, dossier, library),
            words=words,
        )
        for name, step in dossier.outline.steps.items()
    }


def _excerpt(sighting: Sighting, dossier: Dossier, library: Library) -> Excerpt | None:
    log = sighting.record.log if sighting.record and sighting.seen else ""
    if not log.strip():
        return None
    finding = decides(log, dossier, library.index)
    if finding is None:
        return tail(log, _TAIL)
    return around(log, finding.line.number, _BEFORE, _AFTER)
