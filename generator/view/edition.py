"""The book in one language: every entry looked at once, for all pages and exports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fixbook.site_address import LOCAL_SITE
from generator.text.strings import Words
from generator.view.article import ArticleView, article_view

if TYPE_CHECKING:
    from fixbook.text import Lang
    from generator.view.library import Library


@dataclass(frozen=True)
class Edition:
    """The book in one language.

    Attributes:
        library: The book.
        lang: The language.
        site: Address that readers will use, without a slash at its end.
    """

    library: Library
    lang: Lang
    site: str = LOCAL_SITE

    @cached_property
    def words(self) -> Words:
        """The strings of the language."""
        return Words(self.lang)

    @cached_property
    def views(self) -> dict[str, ArticleView]:
        """What the pages of each entry say, by slug."""
        return {
            slug: article_view(dossier, self.library, self.words)
            for slug, dossier in self.library.dossiers.items()
        }
