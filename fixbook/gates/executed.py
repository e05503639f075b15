"""What a reader is offered to copy has been executed as printed; claims name steps that ran."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.recipe.record import can_fail
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import BookEntry, Snippet
    from fixbook.gates.reading import Reading
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence

_RUNS = {"python", "bash", "cpp"}
_FENCE = re.compile(r"(?m)^ *(?:```+|~~~+) *(?P<language>[\w+-]+)")
_SHOWN_AS_IS = {"text", "yaml", "json", "toml", "diff"}


def executed_code(reading: Reading) -> Iterator[Problem]:
    """Check that every snippet ran as printed, and that proven claims rest on steps that ran."""
    for item in reading.entries:
        evidence = reading.evidence(item)
        for name, snippet in item.entry.snippets.items():
            yield from _snippet(item, name, snippet, evidence)
        yield from _mechanism(item, reading.outline(item))
        yield from _claims(item, evidence)
        yield from _fences(item)


def _snippet(
    item: BookEntry, name: str, snippet: Snippet, evidence: Mapping[str, Evidence]
) -> Iterator[Problem]:
    where = item.source.where(("snippets", name))
    ran = {
        digest
        for one in evidence.values()
        for step in one.steps.values()
        if step.verdict == "passed"
        for used, digest in step.snippets.items()
        if used == name
    }
    if snippet.not_executed:
        if ran:
            what = _("snippet {name!r} is executed, and says it is not").format(name=name)
            yield Problem(where, what, _("remove 'not_executed'"))
    elif snippet.language in _RUNS and snippet.digest not in ran:
        changed = _("snippet {name!r} has changed since it was run")
        what = changed if ran else _("snippet {name!r} is never run")
        mend = _(
            "let a step call snippet({name!r}), then 'fixbook verify --record {slug}'; "
            "where that cannot be, write not_executed: with the reason"
        )
        yield Problem(where, what.format(name=name), mend.format(name=name, slug=item.slug))


def _claims(item: BookEntry, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    passed = {
        name
        for one in evidence.values()
        for name, step in one.steps.items()
        if step.verdict == "passed"
    }
    for index, claim in enumerate(item.entry.claims):
        for name in claim.steps if claim.level == "proven" else ():
            if name in item.entry.steps and name not in passed:
                where = item.source.where(("claims", index))
                mend = _("let it run and record it, or lower the claim's level")
                what = _("rests on step {step!r}, which has not run").format(step=name)
                yield Problem(where, what, mend)


def _mechanism(item: BookEntry, outline: Outline) -> Iterator[Problem]:
    """A fix shows that something helps; only a step that shows the failure shows how it fails."""
    mechanism, steps = item.entry.claims[0], outline.steps
    named = [steps[name] for name in mechanism.steps if name in steps]
    if mechanism.level == "proven" and named and not any(map(can_fail, named)):
        mend = _("name a @reproduce or a @detect(found=True) step, or lower the claim's level")
        what = _("the mechanism {name!r} rests on no step that shows the failure")
        yield Problem(item.source.where(("claims", 0)), what.format(name=mechanism.id), mend)


def _fences(item: BookEntry) -> Iterator[Problem]:
    for key, text in texts_of(item.entry):
        for side in (text.zh, text.en):
            for fence in _FENCE.finditer(side):
                if fence["language"] not in _SHOWN_AS_IS:
                    name = ".".join(map(str, key))
                    what = _("{name}: holds a block of {language} code")
                    what = what.format(name=name, language=fence["language"])
                    mend = _("write it once under 'snippets' and place it with {code}")
                    mend = mend.format(code="{{snippet:ID}}")
                    yield Problem(item.source.where(key), what, mend)
