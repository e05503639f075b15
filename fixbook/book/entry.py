"""The typed entry: one failure with one cause, in both languages.

Field names are the file format of ``recipes/<slug>/entry.yaml``; the same model is published as
JSON Schema (``fixbook schema``), so that editors complete and check it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self

from pydantic import model_validator

from fixbook.book.sections import (
    Advice,
    Appendix,
    Claims,
    Explanation,
    Listing,
    Proof,
    Recognition,
)
from fixbook.book.strict import STRICT
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.book.case import Case
    from fixbook.book.fields import Text
    from fixbook.book.parts import ConfigChange, Detect, Fix, NonFix, Shares, Snippet


# Its fields, and what each holds, stand in the sections. Pydantic takes those of the last base
# first, so that they are in the order of the file.
class Entry(Appendix, Proof, Advice, Explanation, Recognition, Claims, Listing):
    """One failure with one cause."""

    model_config = STRICT

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        fields = ("claims", "signatures", "symptoms", "fixes", "non_fixes", "config_rules")
        for name in (*fields, "references"):
            ids = [item.id for item in getattr(self, name)]
            twice = sorted({item for item in ids if ids.count(item) > 1})
            if twice:
                what = _("{name} gives the id {id!r} twice")
                raise ValueError(what.format(name=name, id=twice[0]))
        if not (self.signatures or self.symptoms):
            raise ValueError(_("needs a signature or a shared symptom to be found by"))
        return self

    @model_validator(mode="after")
    def _names_of_the_reader_exist(self) -> Self:
        groups = {name for one in self.signatures for name in re.compile(one.pattern).groupindex}
        tested = {name for case in self.cases() for name in case.names()}
        if tested - groups:
            what = _("'when' tests {names}, which no signature captures")
            raise ValueError(what.format(names=sorted(tested - groups)))
        changes = [change for fix in self.fixes for change in fix.config]
        fillers: list[Snippet | ConfigChange] = [*self.snippets.values(), *changes]
        unknown = {name for one in fillers for name in one.fills.values()} - self.yours.keys()
        if unknown:
            what = _("'fills' names {names}: say under 'yours' what stands there")
            raise ValueError(what.format(names=sorted(unknown)))
        return self

    def cases(self) -> list[Case]:
        """Return every case of its advice."""
        given: list[Fix | NonFix | Detect] = [*self.fixes, *self.non_fixes, self.detect]
        return [case for advice in given for case in advice.when]

    def shares(self, symptom: str) -> Shares | None:
        """Return how it is told apart from the other causes of a message, if it is one of them."""
        return next((shared for shared in self.symptoms if shared.id == symptom), None)

    def title_of(self, step: str, target: str) -> Text | None:
        """Return what a step does: its own title, or that of the fix or non-fix it executes.

        Args:
            step: Name of the step.
            target: Id of the fix or non-fix; empty for the other kinds.
        """
        claims = self.steps.get(step)
        if claims is not None and claims.title is not None:
            return claims.title
        advices: list[Fix | NonFix] = [*self.fixes, *self.non_fixes]
        return next((advice.title for advice in advices if advice.id == target), None)

    def simulated_in(self, step: str) -> Text | None:
        """Return what is not real in a step, if anything."""
        claims = self.steps.get(step)
        named = claims.simulated if claims else None
        return self.simulated.get(named) if isinstance(named, str) else named
