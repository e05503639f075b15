"""What the book covers, how far it is proven and what is new: counted, never written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.view.status import best, count, needs_gpu

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.view.library import Dossier, Library

# The stages of a job in their order, with the categories that belong to each.
STAGES: dict[str, tuple[str, ...]] = {
    "install": ("installation",),
    "data": ("data",),
    "train": (
        "out-of-memory",
        "illegal-access",
        "hang",
        "distributed",
        "compile",
        "autograd",
        "tensor",
        "precision",
        "wrong-result",
        "host",
    ),
    "save": ("checkpoint", "loading"),
    "serve": ("serving",),
}
QUIET = "wrong-result"  # as the first category: nothing crashes


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a job.

    Attributes:
        name: Its name.
        entries: How many entries are about it.
        categories: Its categories that have entries, each with their number.
    """

    name: str
    entries: int
    categories: dict[str, int]


@dataclass(frozen=True, slots=True)
class News:
    """An entry that was written or verified lately.

    Attributes:
        dossier: The entry.
        moment: When, as RFC 3339 has it, in UTC.
    """

    dossier: Dossier
    moment: str

    @property
    def day(self) -> str:
        """The day, such as ``2026-11-21``."""
        return self.moment[:10]

    @property
    def verified(self) -> bool:
        """Whether it is older, and was verified again on that day."""
        return self.day > self.dossier.entry.added.isoformat()


@dataclass(frozen=True, slots=True)
class Proven:
    """How far the book is proven, in steps.

    Attributes:
        steps: All steps.
        passed: Executed as documented, on the recipes as they are.
        stale: Executed before something changed.
        gpu: Need a GPU and have not run on one.
        machines: Machines that evidence was recorded on.
        last: Day of the latest record; empty if there is none.
        claims: Statements of articles that were put to the test.
    """

    steps: int
    passed: int
    stale: int
    gpu: int
    machines: int
    last: str
    claims: int


def active(library: Library) -> list[Dossier]:
    """Return the entries that are kept up."""
    return [one for one in library.dossiers.values() if one.entry.status == "active"]


def stages(dossiers: Iterable[Dossier]) -> list[Stage]:
    """Count entries by stage, and within each by category; an entry may have several."""
    named = [set(dossier.entry.categories) for dossier in dossiers]
    found = []
    for name, categories in STAGES.items():
        counts = {one: sum(one in own for own in named) for one in categories}
        entries = sum(not own.isdisjoint(categories) for own in named)
        found.append(Stage(name, entries, {one: n for one, n in counts.items() if n}))
    return found


def projects(library: Library) -> dict[str, tuple[int, int]]:
    """Return, for each project, how many entries and rules are about it; the most first."""
    counts: dict[str, list[int]] = {}
    for dossier in active(library):
        for name in dossier.entry.projects:
            counts.setdefault(name, [0, 0])[0] += 1
    for view in library.rules:
        if view.of_machine:
            continue
        for name in {tool.split("/")[0] for tool in view.item.rule.tools}:
            counts.setdefault(name, [0, 0])[1] += 1
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1][0], -pair[1][1], pair[0]))
    return {name: (entries, rules) for name, (entries, rules) in ordered}


def quiet(dossiers: Iterable[Dossier]) -> list[Dossier]:
    """Return the entries whose failure may not crash at all."""
    return [dossier for dossier in dossiers if dossier.entry.categories[0] == QUIET]


def news(dossiers: Iterable[Dossier]) -> list[News]:
    """Return the entries by the day they were written or last verified, the latest first."""
    dated = [
        News(one, _recorded(one) or f"{one.entry.added.isoformat()}T00:00:00Z") for one in dossiers
    ]
    return sorted(dated, key=lambda one: (one.moment, one.dossier.slug), reverse=True)


def proven(library: Library) -> Proven:
    """Count what has been run of the whole book."""
    dossiers = list(library.dossiers.values())
    counts = [count(dossier) for dossier in dossiers]
    return Proven(
        steps=sum(one.total for one in counts),
        passed=sum(one.passed for one in counts),
        stale=sum(one.stale for one in counts),
        gpu=sum(_waits(dossier) for dossier in dossiers),
        machines=len({name for dossier in dossiers for name in dossier.evidence}),
        last=max(map(_recorded, dossiers), default="")[:10],
        claims=sum(len(dossier.entry.said) for dossier in dossiers),
    )


def _waits(dossier: Dossier) -> int:
    steps = dossier.outline.steps.values()
    return sum(needs_gpu(step) and not best(dossier, step).seen for step in steps)


def _recorded(dossier: Dossier) -> str:
    return max((one.recorded for one in dossier.evidence.values()), default="")
