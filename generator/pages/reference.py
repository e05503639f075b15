"""The author's reference: written from the code whenever the site is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book import docstring_items, docstring_summary
from fixbook.text import SECTIONS
from generator.pages.page import Page
from generator.text.code import Code
from generator.text.page_text import MOST
from generator.text.templating import render
from generator.view import reference

if TYPE_CHECKING:
    from generator.view.edition import Edition
    from generator.view.library import Dossier, Library

_SECTIONS = {
    "Entry": "entry.yaml",
    "Query": "queries.yaml",
    "Words": "words.yaml",
    "Thread": "threads.yaml",
    "Rule": "config_rules, rule.yaml",
}
_FILES = (
    ("entry.yaml", "yaml"),
    ("failure.py", "python"),
    ("recipe.py", "python"),
    ("queries.yaml", "yaml"),
    ("words.yaml", "yaml"),
    ("threads.yaml", "yaml"),
)


def reference_page(edition: Edition) -> Page:
    """Render the reference in one language, with the book's shortest entry as an example."""
    words, lang = edition.words, edition.lang
    example = shortest(edition.library)
    held = example.item.folder if example else None
    text = render(
        "reference.md.j2",
        t=words,
        lang=lang,
        say=lambda text: reference.in_language(text, lang),
        said=docstring_summary,
        signature=reference.signature,
        import_of=reference.import_of,
        arguments=lambda function: docstring_items(function, "Args").items(),
        models=[(model, reference.fields_of(model)) for model in reference.MODELS],
        sections=_SECTIONS,
        headings=reference.headings() | _SECTIONS,
        decorators=reference.DECORATORS,
        needs=reference.needs(),
        functions=reference.FUNCTIONS,
        formats=reference.formats(),
        most=MOST,
        sections_named=", ".join(f"`{name}`" for name in SECTIONS),
        gates=reference.gates(),
        example=example,
        files=[pair for pair in _FILES if held and (held / pair[0]).is_file()],
        code=lambda text, language, title: Code(text, language, title).block,
    )
    return Page("reference.md", words("nav_reference"), text)


def shortest(library: Library) -> Dossier | None:
    """Return the finished entry with the fewest lines to read, if there is one."""

    def lines(dossier: Dossier) -> int:
        names = [name for name, _ in _FILES if (dossier.item.folder / name).is_file()]
        return sum(dossier.read(name).count("\n") for name in names)

    # What `fixbook new` writes is shorter than any entry, and an example of nothing.
    finished = (one for one in library.dossiers.values() if "TODO" not in one.read("entry.yaml"))
    return min(finished, key=lines, default=None)
