"""The page 'what the sources said, and what we found'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.pages.page import Page
from generator.text.templating import render
from generator.view.badges import Badge

if TYPE_CHECKING:
    from fixbook.book import Said
    from generator.text.strings import Words
    from generator.view.edition import Edition
    from generator.view.library import Dossier

VERDICTS = ("confirmed", "partly", "wrong", "unsupported")
_SECTIONS = {
    "detect": "detect",
    "cause": "why",
    "signature": "symptom",
    "silent_twin": "silent-twin",
}


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim, with the entry that judged it.

    Attributes:
        claim: What was said and what was found.
        dossier: The entry.
        words: Strings of the language.
    """

    claim: Said
    dossier: Dossier
    words: Words

    @property
    def badge(self) -> Badge:
        """The verdict."""
        return verdict_badge(self.claim.verdict, self.words)

    @property
    def anchor(self) -> str:
        """Where in the article the answer stands."""
        kind, _, name = self.claim.see.partition(":")
        return f"{kind.replace('_', '-')}-{name}" if name else _SECTIONS[kind]


def verdict_badge(verdict: str, words: Words) -> Badge:
    """Return a verdict on a claim."""
    return Badge(f"claim-{verdict}", words(f"claim_{verdict}"))


def claims_page(edition: Edition) -> Page:
    """Render every claim, grouped by the article that made it."""
    words, library = edition.words, edition.library
    groups: dict[str, list[ClaimView]] = {name: [] for name in library.sources}
    for dossier in library.dossiers.values():
        for claim in dossier.entry.said:
            groups.setdefault(claim.source, []).append(ClaimView(claim, dossier, words))
    groups = {name: claims for name, claims in groups.items() if claims}
    text = render(
        "claims.md.j2",
        t=words,
        lang=edition.lang,
        groups=groups,
        sources=library.sources,
        totals=_totals(groups),
        verdicts={name: verdict_badge(name, words) for name in VERDICTS},
    )
    return Page("claims.md", words("nav_claims"), text)


def _totals(groups: dict[str, list[ClaimView]]) -> dict[str, dict[str, int]]:
    """How often each verdict was given, per source."""
    return {
        name: {v: sum(c.claim.verdict == v for c in claims) for v in VERDICTS}
        for name, claims in groups.items()
    }
