"""The evidence page: entries by machines by versions; what ran, when, and what has not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.pages.page import Page
from generator.text.templating import render
from generator.view.article import proof_badge
from generator.view.badges import Badge
from generator.view.status import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.text.strings import Words
    from generator.view.edition import Edition
    from generator.view.library import Dossier


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry on the evidence page.

    Attributes:
        dossier: The entry.
        words: Strings of the language.
    """

    dossier: Dossier
    words: Words

    @property
    def summary(self) -> str:
        """The state of the whole entry as badges."""
        seen = count(self.dossier)
        parts: list[Badge] = []
        if seen.passed:
            text = self.words("n_passed", count=seen.passed, total=seen.total)
            parts.append(Badge("passed", text))
        if seen.stale:
            parts.append(Badge("stale", self.words("n_stale", count=seen.stale)))
        if seen.gpu:
            parts.append(Badge("no-gpu", self.words("n_gpu", count=seen.gpu)))
        if seen.other:
            parts.append(Badge("not-run", self.words("n_other", count=seen.other)))
        return " ".join(map(str, parts))

    def on(self, machine: str) -> str:
        """The day this entry was recorded on a machine, with what has changed since."""
        evidence = self.dossier.evidence.get(machine)
        if evidence is None:
            return self.words("none")
        day = f'<span class="fb-nowrap">{evidence.recorded[:10]}</span>'
        return (
            f"{day} {Badge('stale', self.words('state_stale'))}"
            if self.dossier.stale[machine]
            else day
        )

    @property
    def proof(self) -> Badge:
        """How far the failure was shown by running it."""
        return proof_badge(self.dossier, self.words)


def evidence_page(edition: Edition) -> Page:
    """Render what has been executed, entry by entry and machine by machine."""
    words, dossiers = edition.words, edition.library.dossiers.values()
    text = render(
        "evidence.md.j2",
        t=words,
        lang=edition.lang,
        rows=[EntryRow(dossier, words) for dossier in dossiers],
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
