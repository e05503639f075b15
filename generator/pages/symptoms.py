"""Pages for messages that several entries share: the questions that separate the causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.pages.corrections import corrections
from generator.pages.page import Page
from generator.text.marks import legend
from generator.text.markup import plain
from generator.text.templating import render
from generator.view.article import proof_badge

if TYPE_CHECKING:
    from generator.view.edition import Edition


def symptom_page(name: str, edition: Edition) -> Page:
    """Render one symptom with the entries that name it as theirs.

    Args:
        name: Id of the symptom.
        edition: The book in one language.
    """
    words, lang, library = edition.words, edition.lang, edition.library
    symptom = library.symptoms[name]
    causes = [
        (dossier, shared.ask, proof_badge(dossier, words))
        for dossier in library.causes(name)
        if (shared := dossier.entry.shares(name))
    ]
    text = render(
        "symptom.md.j2",
        t=words,
        lang=lang,
        name=name,
        symptom=symptom,
        causes=causes,
        correct=corrections(f"symptoms/{name}", f"symptoms/{name}.yaml", lang, library),
    )
    title = plain(symptom.title.of(lang))
    return Page(f"symptoms/{name}/index.md", title, f"{text}\n{legend(text)}")


def symptom_index(edition: Edition) -> Page:
    """Render the list of all shared messages."""
    words, lang, library = edition.words, edition.lang, edition.library
    listed = [(name, symptom, library.causes(name)) for name, symptom in library.symptoms.items()]
    text = render("symptoms.md.j2", t=words, lang=lang, listed=listed)
    return Page("symptoms/index.md", words("nav_symptoms"), text)
