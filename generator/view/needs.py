"""What a step asks for, as an article shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.text import in_language

if TYPE_CHECKING:
    from fixbook.recipe.author import Step
    from generator.text.strings import Words

_FEW = 2
_MACHINES = {"any": "needs_any", "cpu": "needs_cpu"}


@dataclass(frozen=True, slots=True)
class NeedsView:
    """What a step asks of a machine and of its libraries.

    Attributes:
        step: The step.
        words: Strings of the language.
    """

    step: Step
    words: Words

    @property
    def all(self) -> str:
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
    def recorded_once(self) -> str:
        """Why it is recorded once and not run every time; empty if it is."""
        why = self.step.needs.record_once
        return in_language(why, self.words.lang) if why else ""
