"""What of an entry is run here: which steps, on which versions."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.problem import BookError, Problem
from fixbook.recipe.reading import read_outline, with_libraries
from fixbook.recipe.record import load_evidence
from fixbook.recipe.running import missing_releases, unmet_need
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fixbook.book import BookEntry
    from fixbook.recipe.author import Step
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence, StepRecord

SECTIONS = ("reproduce", "detect", "fix", "non_fix")  # as a reader meets them


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """An entry, and the steps of it that were asked for.

    Attributes:
        item: The entry.
        outline: Its recipe.
        evidence: Its records by machine.
        run: The steps that run, in the order in which they are shown: that of the article.
        other: Those that do not, as they need other releases than are here.
    """

    item: BookEntry
    outline: Outline
    evidence: Mapping[str, Evidence]
    run: Sequence[Step]
    other: Sequence[Step]

    def record(self, step: str) -> StepRecord | None:
        """Return how a step was recorded, if it was: on a CPU rather than elsewhere."""
        records = (one.steps.get(step) for one in self.evidence.values())
        return next((one for one in records if one and one.verdict == "passed"), None)

    def ready(self) -> list[Step]:
        """Return the running steps that lack nothing here."""
        return [step for step in self.run if unmet_need(step.needs, machine()) is None]

    def pins(self) -> list[str]:
        """Return the releases that running steps ask for and that are not here, each once."""
        asked = (pin for step in self.run for pin in missing_releases(step.needs.versions))
        return list(dict.fromkeys(asked))


def stage_of(
    item: BookEntry,
    names: Sequence[str] = (),
    *,
    on: str | None = None,
    versions: str | None = None,
    everything: bool = False,
) -> Stage:
    """Choose the steps of an entry.

    Args:
        item: The entry.
        names: Steps to run, with the controls that they need; all by default.
        on: Only steps for this device.
        versions: Releases to run on, as ``NAME==VERSION,…``, installed beside the environment.
        everything: Also what needs other releases than are here, which are installed then.

    Raises:
        BookError: The recipe or a record cannot be read, a name is not a step, or the releases are
            not written so.
    """
    outline = read_outline(item.recipe)
    chosen = choose(outline, names, on)
    chosen = with_libraries(item, outline, [_with_versions(s, versions) for s in chosen])
    entry = item.entry
    targets = ["", *(one.id for one in entry.fixes), *(one.id for one in entry.non_fixes)]
    places = {name: place for place, name in enumerate(targets)}
    ordered = sorted(
        chosen, key=lambda step: (SECTIONS.index(step.kind), places.get(step.target, 0))
    )
    asked = {text.strip() for text in (versions or "").split(",")}
    other = [
        step for step in ordered if not asked.issuperset(missing_releases(step.needs.versions))
    ]
    other = [] if everything else other
    run = [step for step in ordered if step not in other]
    return Stage(item, outline, load_evidence(item), run, other)


def choose(outline: Outline, names: Sequence[str], on: str | None) -> list[Step]:
    """Pick steps by name and device, and the controls without which they show nothing.

    Raises:
        BookError: A name is not a step of the recipe.
    """
    asked = [step for name in names for step in steps_named(outline, name)]
    chosen = dict.fromkeys([step.name for step in asked] or outline.steps)
    controls = (outline.steps[name].control for name in chosen)
    chosen |= dict.fromkeys(name for name in controls if name in outline.steps)
    steps = [outline.steps[name] for name in chosen]
    return [step for step in steps if on is None or step.needs.on.startswith((on, "any"))]


def steps_named(outline: Outline, name: str) -> list[Step]:
    """Return a step by its name, or the steps of a fix or of bad advice by its id.

    Raises:
        BookError: There is none; those that there are are named.
    """
    if name in outline.steps:
        return [outline.steps[name]]
    if found := [step for step in outline.steps.values() if step.target == name]:
        return found
    what = _("has no step {name!r}").format(name=name)
    mend = _("its steps are: {names}").format(names=", ".join(outline.steps))
    raise BookError([Problem(str(outline.path), what, mend)])


def step_named(outline: Outline, name: str) -> Step:
    """Return one step by its name, or by the id of a fix that has no other.

    Raises:
        BookError: There is none, or the fix has several; they are named.
    """
    found = steps_named(outline, name)
    if len(found) == 1:
        return found[0]
    what = _("{name!r} has several steps").format(name=name)
    mend = _("name one: {names}").format(names=", ".join(step.name for step in found))
    raise BookError([Problem(str(outline.path), what, mend)])


def _with_versions(step: Step, versions: str | None) -> Step:
    if not versions:
        return step
    asked = {text.partition("==")[0].strip(): text.strip() for text in versions.split(",")}
    wrong = [text for text in asked.values() if not all(text.partition("=="))]
    if wrong:
        what = _("{text!r} is not of the form NAME==VERSION").format(text=wrong[0])
        mend = _("write for example transformers==4.57.6, several with commas")
        raise BookError([Problem("--versions", what, mend)])
    kept = {text.partition("==")[0]: text for text in step.needs.versions}
    merged = tuple((kept | asked).values())
    return dataclasses.replace(step, needs=dataclasses.replace(step.needs, versions=merged))
