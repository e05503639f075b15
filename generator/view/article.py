"""What an article says, in one language: entry and evidence put together, without any layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.book import with_snippets
from fixbook.recipe.record import (
    declared_logs,
    main_releases,
    ran_on,
    seen_on,
    standing,
    untested_advice,
)
from fixbook.text import show_figure
from generator.text.code import Code, snippet_code
from generator.text.markup import plain
from generator.view.badges import Badge
from generator.view.fixes import Remedy, remedies
from generator.view.logs import around, tail
from generator.view.names import names_table
from generator.view.status import OLD_DAYS, count, is_old, on_gpus
from generator.view.steps import StepView, step_views
from generator.view.tables import Bars

if TYPE_CHECKING:
    from fixbook.book import Claim, Entry, LogFile, Reference, Text
    from fixbook.recipe.record import SeenOn
    from fixbook.text import Lang
    from generator.text.strings import Words
    from generator.view.library import Dossier, Library

_BEFORE, _AFTER, _TAIL = 2, 3, 8


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One thing the entry says, and what it rests on.

    Attributes:
        text: The claim, as Markdown.
        badge: How certain it is.
        steps: The steps that show it, if it was run.
        reference: The page that says it, if it was read.
    """

    text: str
    badge: Badge
    steps: tuple[StepView, ...] = ()
    reference: Reference | None = None


@dataclass(frozen=True, slots=True)
class LogView:
    """A real log that leads to the entry.

    Attributes:
        whole: The whole log.
        excerpt: The part around the line that decides.
        reference: Where it was reported; None if a step printed it.
        step: The step that printed it; None if it was reported.
    """

    whole: Code
    excerpt: Code
    reference: Reference | None
    step: StepView | None


@dataclass(frozen=True)
class ArticleView:
    """One entry in one language.

    Attributes:
        dossier: The entry with its recipe and evidence.
        words: Strings of the language.
        steps: Its steps by name, in the order of the recipe.
        fixes: Its fixes; the first is the recommended one.
        non_fixes: Advice that was seen not to help.
        untried: Advice of which it is said, and of which nothing has run.
        claims: What it says of the cause, each with what that rests on.
        logs: Real logs that lead to it; those that people reported come first.
    """

    dossier: Dossier
    words: Words
    steps: dict[str, StepView]
    fixes: list[Remedy]
    non_fixes: list[Remedy]
    untried: list[Remedy]
    claims: list[ClaimView]
    logs: list[LogView]

    @property
    def slug(self) -> str:
        """Its address on the site."""
        return self.dossier.slug

    @property
    def entry(self) -> Entry:
        """The entry, with its measures filled in."""
        return self.dossier.entry

    @property
    def lang(self) -> Lang:
        """The language."""
        return self.words.lang

    def text(self, text: Text) -> str:
        """Return a text of the entry in this language, with the snippets it places."""
        return with_snippets(text.of(self.lang), self.entry.snippets, self.lang)

    @property
    def detect_code(self) -> Code | None:
        """The first measurement, to paste."""
        snippet = self.entry.snippets.get(self.entry.detect.snippet or "")
        return snippet_code(snippet, self.entry.yours, self.words) if snippet else None

    @property
    def twin(self) -> str:
        """The silent twin; empty if there is none."""
        twin = self.entry.silent_twin
        return self.text(twin.text).strip() if twin else ""

    @property
    def names(self) -> str:
        """The names that changed from release to release, as a table; empty if there are none."""
        names = self.entry.names
        return names_table(names, self.steps, self.words) if names else ""

    @property
    def references(self) -> dict[str, Reference]:
        """Its references by id."""
        return {reference.id: reference for reference in self.entry.references}

    @property
    def status(self) -> list[str]:
        """What follows the proof in the line under the title: GPU, steps, libraries, day.

        The libraries are those that its steps ran on, whatever else the machine has.
        """
        words, seen = self.words, count(self.dossier)
        if not self.dossier.evidence:
            return []
        parts = [self._on_gpu, words("steps_run", count=seen.passed)]
        if seen.stale:
            parts.append(words("steps_stale", count=seen.stale))
        releases = ran_on(self.dossier.outline, self.dossier.evidence)
        for package, newest, earlier in main_releases(self.entry, releases):
            more = words("and_earlier", count=earlier) if earlier else ""
            parts.append(f"{package} {newest}{more}")
        parts.append(self.verified)
        return [*parts, words("evidence_old", days=OLD_DAYS)] if is_old(self.verified) else parts

    @property
    def _on_gpu(self) -> str:
        if all(view.step.needs.on == "cpu" for view in self.steps.values()):
            return self.words("no_gpu_step")
        ran = [
            self.words("gpu_steps_run", count=count, gpu=gpu.name, driver=gpu.driver)
            for one, count in on_gpus(self.dossier)
            for gpu in one.machine.gpus[:1]
        ]
        return self.words("semicolon").join(ran) or self.words("gpu_not_run")

    @property
    def seen(self) -> list[SeenOn]:
        """On which releases it was seen to fail and to work."""
        return seen_on(self.dossier.entry, self.dossier.outline, self.dossier.evidence)

    @property
    def readers(self) -> list[tuple[str, str, int]]:
        """Runs of readers: on what, when, and how many steps held."""
        return [
            (
                ", ".join(f"{gpu.name} ({gpu.driver})" for gpu in one.machine.gpus)
                or one.machine.cpu,
                one.recorded[:10],
                sum(record.verdict == "passed" for record in one.steps.values()),
            )
            for one in self.dossier.readers
        ]

    @property
    def verified(self) -> str:
        """Day of its latest evidence, such as ``2026-11-21``; empty if there is none."""
        return max((one.recorded for one in self.dossier.evidence.values()), default="")[:10]

    @property
    def proof(self) -> Badge:
        """What has been run of the failure."""
        return proof_badge(self.dossier, self.words)

    @property
    def bars(self) -> list[Bars]:
        """The measures that the entry wants drawn, of the steps that recorded them."""
        drawn = []
        for bar in self.entry.bars:
            seen = [(v, v.run.measures.get(bar.measure)) for v in self.steps.values()]
            values = tuple(
                (plain(view.title), float(value), show_figure(value, bar.format, self.lang))
                for view, value in seen
                if isinstance(value, (int, float)) and not isinstance(value, bool)
            )
            if len(values) > 1:
                drawn.append(Bars(plain(bar.label.of(self.lang)), values))
        return drawn

    def of_kind(self, kind: str) -> list[StepView]:
        """Return its steps of one kind."""
        return [view for view in self.steps.values() if view.step.kind == kind]


def article_view(dossier: Dossier, library: Library, words: Words) -> ArticleView:
    """Put together what the pages of an entry say.

    Args:
        dossier: The entry with its recipe and evidence.
        library: The book it belongs to.
        words: Strings of the language.
    """
    steps = step_views(dossier, library, words)
    logs = [
        _log_view(log, text, dossier, library, steps)
        for log, text in declared_logs(dossier.item, dossier.evidence)
    ]
    logs.sort(key=lambda log: not log.reference)
    non_fixes = remedies(dossier, "non_fix", steps, words)
    unseen = untested_advice(dossier.entry, dossier.outline, dossier.evidence)
    return ArticleView(
        dossier=dossier,
        words=words,
        steps=steps,
        fixes=remedies(dossier, "fix", steps, words),
        non_fixes=[one for one in non_fixes if one.about.id not in unseen],
        untried=[one for one in non_fixes if one.about.id in unseen],
        claims=_claims(dossier, steps, words),
        logs=logs,
    )


def proof_badge(dossier: Dossier, words: Words) -> Badge:
    """Return what has been run of a failure, in the words that all pages share."""
    seen = standing(dossier.entry, dossier.outline, dossier.evidence, dossier.stale)
    text = words("comma").join(words("shown_" + name.replace("-", "_")) for name in seen)
    return Badge(f"shown-{seen[0]}", text)


def _claims(dossier: Dossier, steps: dict[str, StepView], words: Words) -> list[ClaimView]:
    references = {reference.id: reference for reference in dossier.entry.references}
    return [
        _claim(claim, [steps[name] for name in claim.steps if name in steps], references, words)
        for claim in dossier.entry.claims
    ]


def _claim(
    claim: Claim, steps: list[StepView], references: dict[str, Reference], words: Words
) -> ClaimView:
    badge = Badge(f"level-{claim.level}", words(f"level_{claim.level}"))
    return ClaimView(
        text=claim.text.of(words.lang),
        badge=badge.simulated(words) if any(step.simulated for step in steps) else badge,
        steps=tuple(steps),
        reference=references.get(claim.reference or ""),
    )


def _log_view(
    log: LogFile, text: str, dossier: Dossier, library: Library, steps: dict[str, StepView]
) -> LogView:
    finding = library.logs.decides(text, dossier)
    part = around(text, finding.line.number, _BEFORE, _AFTER) if finding else tail(text, _TAIL)
    references = {reference.id: reference for reference in dossier.entry.references}
    return LogView(
        whole=Code(text),
        excerpt=Code(part.text, marked=(part.line,) if part.line else ()),
        reference=references.get(log.source),
        step=steps.get(log.step or ""),
    )
