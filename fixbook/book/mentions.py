"""Where a text sends its reader: ``{{entry:slug}}``, ``{{message:id}}``, ``{{section:name}}``.

A text names another entry, a shared message, or a section or a fix of its own entry by an id.
Whoever shows the text says the title of that page in the reader's language, and leads there; what
becomes of its marks (`fixbook.book.marks`) is decided in the same place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.book.marks import MARK, marks_in_words
from fixbook.text import LANGS, SECTIONS, translator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fixbook.book.entry import Entry
    from fixbook.book.fields import Text
    from fixbook.book.loading import Book
    from fixbook.book.parts import Fix, NonFix
    from fixbook.text import Lang

MENTION = re.compile(r"\{\{(?P<kind>entry|message|section|fix):(?P<id>[a-z0-9-]+)\}\}")


@dataclass(frozen=True, slots=True)
class Target:
    """What a text sends its reader to.

    Attributes:
        page: The page below the root of a language: ``slug`` or ``symptoms/id``.
        anchor: The place on it, such as ``#why``; empty for the whole page.
        title: Its title, as Markdown.
    """

    page: str
    anchor: str
    title: str

    @property
    def address(self) -> str:
        """Its address below the root of a language."""
        return f"{self.page}/{self.anchor}"


class Targets:
    """Everything that the texts of one entry, or of a message, may name.

    Args:
        book: The book.
        slug: The entry; empty for a message, which has no sections.
        marks: Shows the marks of a text; as words by default.
    """

    def __init__(
        self, book: Book, slug: str = "", marks: Callable[[str, Lang], str] = marks_in_words
    ) -> None:
        self._book = book
        self._slug = slug
        self._marks = marks
        self._own = book.entries[slug].entry if slug in book.entries else None

    def ids(self, kind: str) -> Iterable[str]:
        """Return what a text may name; nothing for a kind that there is not."""
        if kind == "entry":
            return self._book.entries.keys() - {self._slug}
        if kind == "message":
            return self._book.symptoms
        if kind == "section" and self._own:
            return SECTIONS
        return [one.id for one in _advices(self._own)] if kind == "fix" and self._own else []

    def of(self, kind: str, name: str, lang: Lang) -> Target | None:
        """Return what a text names, or None if there is nothing of this name."""
        if name not in self.ids(kind):
            return None
        if kind == "entry":
            return Target(name, "", self._book.entries[name].entry.title.of(lang))
        if kind == "message":
            return Target(f"symptoms/{name}", "", self._book.symptoms[name].title.of(lang))
        if kind == "section" or self._own is None:
            return Target(self._slug, f"#{name}", translator(lang)(SECTIONS[name]))
        advice = next(one for one in _advices(self._own) if one.id == name)
        anchor = f"#fix-{name}" if advice in self._own.fixes else f"#non-fix-{name}"
        return Target(self._slug, anchor, advice.title.of(lang))

    def linked(self, text: str, lang: Lang, root: str = "") -> str:
        """Return a text with a Markdown link for each target and its marks; unknown ones stay.

        Args:
            text: Markdown.
            lang: Its language.
            root: What stands before the addresses.
        """

        def link(found: re.Match[str]) -> str:
            target = self.of(found["kind"], found["id"], lang)
            return f"[{target.title}]({root}{target.address})" if target else found[0]

        return self._marks(MENTION.sub(link, text), lang)

    def both(self, text: Text, root: str = "") -> Text:
        """Return a text with its links, in both languages."""
        linked: dict[str, str] = {lang: self.linked(text.of(lang), lang, root) for lang in LANGS}
        return text.model_copy(update=linked)


def _advices(entry: Entry) -> list[Fix | NonFix]:
    return [*entry.fixes, *entry.non_fixes]


def unmentioned(text: str) -> str:
    """Return a text without its marks and what it sends its reader to: its own words."""
    return MENTION.sub(" ", MARK.sub("", text))
