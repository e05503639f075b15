"""Build the pages of an entry into a site that stands: an author sees a change within a second.

The pages that list the entry, the search and the exports stay as they were until the whole site is
built again.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from fixbook.book import load_entry
from fixbook.problem import BookError
from fixbook.text import LANGS
from generator.pages.article import article, evidence_of_entry
from generator.pages.navigation import files
from generator.pages.tree import Tree, heads_of, unsearched, write_changed
from generator.site.build import SiteError, build_site
from generator.site.finish import Finisher
from generator.site.live_markup import MarkupError
from generator.site.material import RenderError, SinglePages
from generator.site.one_page import alone
from generator.site.policy import PolicyError
from generator.site.search_worker import WorkerError
from generator.site.watch import replace_folder
from generator.text.links import placed
from generator.text.page_text import PageError, check_page
from generator.view.edition import Edition
from generator.view.library import load_library

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from fixbook.book import Book
    from fixbook.text import Lang
    from generator.view.library import Library


_WHOLE = ""


class Preview:
    """A site that is looked at while its book is written, in both languages.

    Args:
        library: The book that the site was built from.
        out: Folder of the site.
        address: Address that the site has.
        trees: Folder of the trees that it was rendered from.

    Attributes:
        errors: Why pages are not as their entries say by now, by slug; that of the whole site
            stands by an empty one.

    Raises:
        SiteError: The renderer reported a warning or an error.
    """

    def __init__(self, library: Library, out: Path, address: str, trees: Path) -> None:
        self._book: Book = library.book
        self._out, self._address, self._folder = out, address, trees
        self.errors: dict[str, str] = {}
        self._take(library.book)

    def rebuild(self, changed: Collection[Path]) -> list[str]:
        """Build what has changed: the pages of some entries, or the whole site.

        Args:
            changed: The files.

        Returns:
            The entries whose pages were built; empty if it was the whole site.

        Raises:
            BookError: Nothing was built, as the book, or an entry, cannot be rendered.
            SiteError: Nothing was built, as a page could not be made, or holds what no page may.
        """
        slugs, built = self._entries(changed), []
        failed: BookError | SiteError | None = None
        if not slugs or _WHOLE in self.errors:
            try:
                self._build_whole()
            except (BookError, SiteError) as error:
                failed, self.errors[_WHOLE] = error, str(error)
            else:
                self.errors.clear()
                return []
        for slug in slugs:
            try:
                self.build(slug)
            except (BookError, SiteError) as error:
                failed, self.errors[slug] = error, str(error)
            else:
                self.errors.pop(slug, None)
                built.append(slug)
        if failed and not built:
            raise failed
        return built

    def _build_whole(self) -> None:
        library, new = load_library(draft=True), self._out.with_name(f".{self._out.name}-new")
        build_site(library, new, self._address, self._folder)
        replace_folder(new, self._out)
        self._take(library.book)

    def build(self, slug: str) -> None:
        """Build the pages of an entry as it is now.

        Args:
            slug: The entry.

        Raises:
            BookError: The entry cannot be rendered.
            SiteError: A page could not be made, or holds what no page may.
        """
        item = load_entry(self._book.root / "recipes" / slug)
        self._book = dataclasses.replace(self._book, entries=self._book.entries | {slug: item})
        library = alone(self._book, slug, draft=True)
        for lang in LANGS:
            try:
                self._build(library, slug, lang)
            except (RenderError, MarkupError, PolicyError, PageError, WorkerError) as error:
                raise SiteError(f"{lang}: {error}") from None

    def _take(self, book: Book) -> None:
        """Get ready to render single pages of a site that was just built."""
        self._book = book
        self._trees = {lang: Tree(self._folder / lang, lang) for lang in LANGS}
        self._known = {
            lang: {path.relative_to(tree.pages).as_posix() for path in tree.pages.rglob("*.md")}
            for lang, tree in self._trees.items()
        }
        try:
            self._pages = {
                lang: SinglePages(tree, (self._out / lang).resolve(), f"{self._address}/{lang}/")
                for lang, tree in self._trees.items()
            }
        except RenderError as error:
            raise SiteError(str(error)) from None

    def _entries(self, changed: Collection[Path]) -> list[str]:
        """The entries that all changes belong to; none if something else has changed, too."""
        recipes = self._book.root.resolve() / "recipes"
        below = [path.relative_to(recipes) for path in changed if path.is_relative_to(recipes)]
        slugs = {part for path in below for part in path.parts[:1]}
        known = len(below) == len(changed) and slugs <= self._book.entries.keys()
        return sorted(slugs) if known else []

    def _build(self, library: Library, slug: str, lang: Lang) -> None:
        edition = Edition(library, lang, self._address)
        tree, single = self._trees[lang], self._pages[lang]
        view = edition.views[slug]
        pages = article(view, library), evidence_of_entry(view, library, self._address)
        texts = {
            page.path: unsearched(
                dataclasses.replace(page, text=placed(page.text, page.path, self._known[lang]))
            )
            for page in pages
        }
        for one in files(edition):
            write_changed(tree.pages / one.path, one.content)
            write_changed(self._out / lang / one.path, one.content)
        finisher = Finisher(edition, single.rendered, heads_of(texts, {}))
        for path, text in texts.items():
            write_changed(tree.pages / path, text)
            name = path.removesuffix("md") + "html"
            page = finisher.finished(single.render(path), name)
            check_page(page, f"{lang}/{name}")
            (self._out / lang / name).write_text(page, "utf-8")
