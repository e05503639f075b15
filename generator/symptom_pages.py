"""Pages for messages that several entries share: the questions that separate the causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.article import certainty_badge
from generator.markup import plain
from generator.page import Page
from generator.strings import Words
from generator.templating import render

if TYPE_CHECKING:
    from fixbook.entry import Lang
    from generator.library import Library


def symptom_page(name: str, library: Library, lang: Lang) -> Page:
    """Render one symptom with the entries that name it as theirs.

    Args:
        name: Id of the symptom.
        library: The book.
        lang: Language of the page.
    """
    words, symptom = Words(lang), library.book.symptoms[name]
    causes = [
        (dossier, shared.ask, certainty_badge(dossier, words))
        for dossier in library.causes(name)
        for shared in dossier.entry.symptoms
        if shared.id == name
    ]
    text = render("symptom.md.j2", t=words, lang=lang, name=name, symptom=symptom, causes=causes)
    return Page(f"symptoms/{name}/index.md", plain(symptom.title.of(lang)), text)


def symptom_index(library: Library, lang: Lang) -> Page:
    """Render the list of all shared messages."""
    words = Words(lang)
    listed = [
        (name, symptom, library.causes(name)) for name, symptom in library.book.symptoms.items()
    ]
    text = render("symptoms.md.j2", t=words, lang=lang, listed=listed)
    return Page("symptoms/index.md", words("nav_symptoms"), text)
