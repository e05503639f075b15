"""One step of a recipe as an article shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.text.markup import inline
from generator.view.needs import NeedsView
from generator.view.runs import RunView, run_view

if TYPE_CHECKING:
    from fixbook.book import Entry, StepClaims
    from fixbook.recipe.author import Step
    from fixbook.text import Lang
    from generator.text.strings import Words
    from generator.view.library import Dossier, Library


@dataclass(frozen=True, slots=True)
class StepView:
    """A step, what the entry says of it, and what was seen.

    Attributes:
        step: The step.
        entry: The entry it belongs to.
        control_target: Id of the fix or non-fix that its control executes; mostly empty.
        code: Source of its function.
        run: What was seen of it.
        needs: What it asks for.
        words: Strings of the language.
    """

    step: Step
    entry: Entry
    control_target: str
    code: str
    run: RunView
    needs: NeedsView
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
    def simulated(self) -> str:
        """What of it is a stand-in, as Markdown; empty if nothing is."""
        text = self.entry.simulated_in(self.id)
        return text.of(self.lang) if text else ""


def step_views(dossier: Dossier, library: Library, words: Words) -> dict[str, StepView]:
    """Return all steps of an entry, in the order of the recipe."""
    return {
        name: StepView(
            step=step,
            entry=dossier.entry,
            control_target=_target(dossier, step.control),
            code=dossier.outline.code[name],
            run=run_view(step, dossier, library, words),
            needs=NeedsView(step, words),
            words=words,
        )
        for name, step in dossier.outline.steps.items()
    }


def _target(dossier: Dossier, name: str) -> str:
    control = dossier.outline.steps.get(name)
    return control.target if control else ""
