"""Evidence is there for every step that a CPU can run, and belongs to what is in the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.record import stale_steps
from fixbook.text import _, in_language, language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading


def current_evidence(reading: Reading) -> Iterator[Problem]:
    """Check that every CPU step of every entry has passed, as it is now.

    Evidence from GPU machines may be stale or missing: articles then say so.
    """
    for item in reading.entries:
        path = item.folder / "evidence" / "cpu.json"
        mend = _(
            "run 'make env', then 'fixbook verify --record {slug} --changed', "
            "on a machine without GPU"
        )
        mend = mend.format(slug=item.slug)
        evidence = reading.evidence(item).get("cpu")
        if evidence is None:
            yield Problem(str(path), _("is missing: nothing of this entry is proven"), mend)
            continue
        outline = reading.outline(item)
        for name, why in stale_steps(item, outline, evidence).items():
            if outline.steps[name].needs.on in {"any", "cpu"}:
                where = _("{file} step {step}").format(file=path, step=name)
                yield Problem(where, in_language(why, language()), mend)
