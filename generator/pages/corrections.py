"""Where a reader says that a sentence of a page is wrong, and where the page is mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.repository import edit_address, issue_address

if TYPE_CHECKING:
    from fixbook.text import Lang
    from generator.view.library import Library


def corrections(page: str, source: str, lang: Lang, library: Library) -> dict[str, str]:
    """Return the addresses for the front matter of a page; none if there is no repository.

    Args:
        page: Its place below the root of its language, such as ``symptoms/out-of-memory``.
        source: The file that it is made from, from the root of the repository.
        lang: Its language.
        library: The book.
    """
    root = library.book.root
    title = page.rpartition("/")[2]
    report = issue_address("wrong-sentence", title, {"page": f"/{lang}/{page}/"}, root)
    return {"report": report, "edit": edit_address(source, root)} if report else {}
