"""Numbers in texts: ``{{step.measure}}`` or ``{{step.measure|format}}``, filled from evidence.

Numbers are never typed into an entry. A placeholder names the step that measured and, if wanted,
how to write the value down; what no run has recorded is an error, not a blank.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fixbook.book import Entry
from fixbook.log import yours
from fixbook.problem import BookError, Problem
from fixbook.text import LANGS, Lang, _, show_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fixbook.recipe.record import Evidence

PLACEHOLDER = re.compile(
    r"\{\{\s*(?P<step>[a-z0-9-]+)\.(?P<measure>[\w.-]+)\s*(?:\|\s*(?P<format>[^{}]*?)\s*)?\}\}"
)


@dataclass(frozen=True, slots=True)
class Measures:
    """The recorded measures of one entry, from all its machines.

    Attributes:
        slug: The entry, for messages.
        evidence: Its evidence by machine, the preferred one first.
        blanks: What stands for values of the reader, by name and language; none to leave their
            places as they are.
    """

    slug: str
    evidence: Mapping[str, Evidence]
    blanks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def recorded(self, step: str) -> dict[str, Any] | None:
        """Return what a step measured where it ran first, or None if it has not run."""
        for record in self.evidence.values():
            seen = record.steps.get(step)
            if seen is not None and seen.verdict == "passed":
                return seen.measures
        return None

    def fill(self, text: str, lang: Lang, problems: list[Problem], where: str) -> str:
        """Replace the placeholders of one text.

        Args:
            text: The text.
            lang: Its language, for the words of booleans.
            problems: Receives one problem for each placeholder that cannot be filled.
            where: Name of the text, for messages.
        """

        def value(match: re.Match[str]) -> str:
            try:
                found = self._look_up(match["step"], match["measure"])
                return show_figure(found, match["format"] or "", lang)
            except (LookupError, TypeError, ValueError) as error:
                what = f"{match[0]}: {error.args[0] if error.args else error}"
                mend = _("run 'fixbook verify --record {slug}', or correct the placeholder")
                problems.append(Problem(where, what, mend.format(slug=self.slug)))
                return f"⟨{match['step']}.{match['measure']}⟩"

        named = {name: both[lang] for name, both in self.blanks.items()}
        done = PLACEHOLDER.sub(value, text)
        return yours.filled(done, {}, named) if named else done

    def _look_up(self, step: str, measure: str) -> Any:
        measured = self.recorded(step)
        if measured is None:
            raise LookupError(_("step {step!r} has no evidence").format(step=step))
        if measure not in measured:
            known = ", ".join(sorted(measured)) or _("nothing")
            what = _("step {step!r} did not measure {measure!r}; it measured {known}")
            raise LookupError(what.format(step=step, measure=measure, known=known))
        return measured[measure]


def fill_entry(
    slug: str,
    entry: Entry,
    evidence: Mapping[str, Evidence],
    *,
    link: Callable[[str, Lang], str],
    draft: bool = False,
    places: bool = False,
) -> Entry:
    """Return the entry with every placeholder of its texts replaced by what was measured.

    Args:
        slug: Name of the entry, for messages.
        entry: The entry as it is written.
        evidence: Its recorded runs by machine, the preferred one first.
        link: Writes where a text sends its reader (`fixbook.book.mentions`).
        draft: Show the placeholder's name where nothing is recorded, instead of failing.
        places: Keep the places of the reader's values, which an answer fills; a page shows their
            names.

    Raises:
        BookError: With one problem per placeholder that no evidence can fill.
    """
    problems: list[Problem] = []
    data = entry.model_dump(mode="json", by_alias=True)
    blanks = {} if places else {name: both.model_dump() for name, both in entry.yours.items()}
    measures = Measures(slug, evidence, blanks)

    def shown(text: str, lang: Lang, where: str) -> str:
        return link(measures.fill(text, lang, problems, where), lang)

    filled = _fill(data, (), shown)
    if problems and not draft:
        raise BookError([Problem(f"{slug}: {p.where}", p.what, p.mend) for p in problems])
    return Entry.model_validate(filled)


def _fill(node: Any, path: tuple[str, ...], shown: Callable[[str, Lang, str], str]) -> Any:
    if isinstance(node, list):
        return [_fill(item, (*path, str(n)), shown) for n, item in enumerate(node)]
    if not isinstance(node, dict):
        return node
    if set(node) == set(LANGS) and all(isinstance(text, str) for text in node.values()):
        return {lang: shown(node[lang], lang, ".".join((*path, lang))) for lang in LANGS}
    return {key: _fill(value, (*path, key), shown) for key, value in node.items()}
