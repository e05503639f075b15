"""The finished tree of one language: plain Markdown, downloads and data, for any renderer.

::

    build/en/pages/**          Markdown with front matter, linked; and what is offered for download
    build/en/navigation.json   the navigation: titles and paths, nested
    build/en/pages.json        what the head of each page says of it, by its address

In Markdown and in the navigation, texts of the book carry the stand-ins of `generator.text.guard`,
which `generator.site.finish` turns into text in what the renderer wrote. In ``pages.json`` they are
plain.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from generator import PROJECT
from generator.pages.ask import ASK, ask_box
from generator.pages.navigation import files, navigation, pages
from generator.text.guard import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book
    from fixbook.text import Lang
    from generator.pages.page import Page
    from generator.view.edition import Edition

_FRONT = "---\n"
_UNSEARCHED = 'search: {"exclude": true}\n'
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree on the disk.

    Attributes:
        folder: Where it lies.
        lang: Its language.
    """

    folder: Path
    lang: Lang

    @property
    def pages(self) -> Path:
        """The folder of Markdown and downloads."""
        return self.folder / "pages"

    def navigation(self) -> list[dict[str, Any]]:
        """Return the navigation: titles, each with a path or a list of the same."""
        return _read(self.folder / "navigation.json")  # type: ignore[no-any-return]

    def heads(self) -> dict[str, dict[str, Any]]:
        """Return what is known of each page, by its address below the language."""
        return _read(self.folder / "pages.json")  # type: ignore[no-any-return]


def write_tree(edition: Edition, folder: Path, *, stock_search: bool = False) -> Tree:
    """Write the tree of one language; of one that lies there, only what differs.

    Args:
        edition: The book in that language.
        folder: Where it belongs; what is in it and not of the tree is removed.
        stock_search: True to leave all pages to Material's own search, as a comparison needs it.
    """
    tree = Tree(folder, edition.lang)
    markdown = dict(_markdown(edition, stock_search=stock_search))
    menu = navigation(edition)
    written = {f"pages/{path}": text for path, text in markdown.items()}
    written |= {f"pages/{path}": text for path, text in _pictures(edition.lang)}
    written |= {f"pages/{one.path}": one.content for one in files(edition)}
    written["navigation.json"] = _json(menu)
    written["pages.json"] = _json(heads_of(markdown, dict(_titles(menu))))
    for name, content in written.items():
        write_changed(folder / name, content)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(folder).as_posix() not in written:
            path.unlink()
    return tree


def address_of(path: str) -> str:
    """Return the address of a page below its language.

    Args:
        path: Of its Markdown, such as ``about.md`` or ``<slug>/index.md``.
    """
    address = path.removesuffix(".md")
    return address.removesuffix("index") if Path(address).name == "index" else f"{address}/"


def unsearched(page: Page) -> str:
    """Return the Markdown of a page that Material's search leaves out.

    Args:
        page: The page.
    """
    return page.text.lstrip("\n").replace(_FRONT, _FRONT + _UNSEARCHED, 1)


def _indexed(address: str, book: Book) -> bool:
    """Tell whether a page is one of an entry or a message, which are indexed from their fields."""
    first, _slash, rest = address.partition("/")
    return first in book.entries or (
        first == "symptoms" and rest.partition("/")[0] in book.symptoms
    )


def _markdown(edition: Edition, *, stock_search: bool) -> Iterator[tuple[str, str]]:
    """Every page: those written by hand, with the box to ask where they want it, and the others."""
    for name, text in _by_hand(edition.lang, "*.md"):
        yield name, text.replace(ASK, ask_box(edition.words))
    book = edition.library.book
    for page in pages(edition):
        # Ours indexes these from their own fields: parsing their pages for Material's takes long.
        exclude = not stock_search and _indexed(address_of(page.path), book)
        yield page.path, unsearched(page) if exclude else page.text.lstrip("\n")


def _pictures(lang: Lang) -> Iterator[tuple[str, str]]:
    """The pictures that pages written by hand show."""
    return _by_hand(lang, "*.svg")


def _by_hand(lang: Lang, pattern: str) -> Iterator[tuple[str, str]]:
    folder = PROJECT / "docs" / lang
    for path in sorted(folder.rglob(pattern)):
        yield path.relative_to(folder).as_posix(), path.read_text("utf-8")


def heads_of(markdown: dict[str, str], titles: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return what the heads of pages say, by address.

    Args:
        markdown: The pages by path, with their front matter.
        titles: Of those in the navigation, by path; others have one in their front matter.
    """
    found = {}
    for path, text in markdown.items():
        front = yaml.load(as_text(text.split(_FRONT, 2)[1]), Loader=_LOADER)  # noqa: S506  (safe)
        head = {name: front.get(name, "") for name in ("description", "kind", "published")}
        head["modified"] = front.get("modified", "")
        found[address_of(path)] = {"title": titles.get(path) or front["title"], **head}
    return found


def _titles(menu: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The titles of pages as the navigation has them, which is where most readers see them."""
    for one in menu:
        for title, below in one.items():
            if isinstance(below, str):
                yield below, as_text(title)
            else:
                yield from _titles(below)


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def write_changed(path: Path, content: str) -> None:
    """Write a file unless it says so already: a renderer may go by the times of files.

    Args:
        path: The file.
        content: Its text.
    """
    raw = content.encode()
    if not path.is_file() or path.read_bytes() != raw:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
