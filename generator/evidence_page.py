"""The evidence page: entries by machines by versions; what ran, when, and what has not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.page import Page
from generator.status import count, sightings
from generator.steps import StepView, badge, badge_of, step_views
from generator.strings import Words
from generator.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.entry import Lang
    from generator.library import Dossier, Library


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry on the evidence page.

    Attributes:
        dossier: The entry.
        views: Its steps.
        words: Strings of the language.
    """

    dossier: Dossier
    views: dict[str, StepView]
    words: Words

    @property
    def summary(self) -> str:
        """The state of the whole entry as badges."""
        seen = count(self.dossier)
        parts = []
        if seen.passed:
            text = self.words("n_passed", count=seen.passed, total=seen.total)
            parts.append(badge("passed", text))
        if seen.stale:
            parts.append(badge("stale", self.words("n_stale", count=seen.stale)))
        if seen.gpu:
            parts.append(badge("no-gpu", self.words("n_gpu", count=seen.gpu)))
        if seen.other:
            parts.append(badge("not-run", self.words("n_other", count=seen.other)))
        return " ".join(parts)

    def on(self, machine: str) -> str:
        """The day this entry was recorded on a machine, with what has changed since."""
        evidence = self.dossier.evidence.get(machine)
        if evidence is None:
            return self.words("none")
        day = f'<span class="fb-nowrap">{evidence.recorded[:10]}</span>'
        return (
            f"{day} {badge('stale', self.words('state_stale'))}"
            if self.dossier.stale[machine]
            else day
        )

    def cell(self, step: StepView, machine: str) -> str:
        """The verdict of one step on one machine."""
        for sighting in sightings(self.dossier, step.step):
            if sighting.machine == machine and sighting.state != "not-run":
                return badge_of(step.step, sighting, self.words)
        return badge("not-run", self.words("state_not_run"))


def evidence_page(library: Library, lang: Lang) -> Page:
    """Render what has been executed, entry by entry and machine by machine."""
    words = Words(lang)
    dossiers = library.dossiers.values()
    text = render(
        "evidence.md.j2",
        t=words,
        lang=lang,
        rows=[EntryRow(d, step_views(d, library, words), words) for d in dossiers],
        machines=_machines(dossiers),
        anything_on_gpu=any(e.machine.gpus for d in dossiers for e in d.evidence.values()),
        gpu_steps=sum(count(d).gpu for d in dossiers),
    )
    return Page("evidence.md", words("nav_evidence"), text)


def _machines(dossiers: Iterable[Dossier]) -> dict[str, str]:
    """Every machine that has a record, with its hardware as last recorded."""
    newest: dict[str, tuple[str, str]] = {}
    for dossier in dossiers:
        for name, evidence in dossier.evidence.items():
            machine = evidence.machine
            gpus = ", ".join(f"{gpu.name} ({gpu.memory_gib:g} GiB)" for gpu in machine.gpus)
            hardware = gpus or f"{machine.cpu}, {machine.cores} × CPU, {machine.memory_gib:g} GiB"
            text = f"{hardware}, {machine.os}, Python {machine.python}"
            newest[name] = max(newest.get(name, ("", "")), (evidence.recorded, text))
    order = sorted(newest, key=lambda name: (name != "cpu", name))
    return {name: newest[name][1] for name in order}
