"""The last pass on files: whatever rendered a tree, here its pages become pages of the site.

Texts of the book came through the renderer with stand-ins for the signs of markup; this is the one
place where they are given back, as text. Then each page is looked at, and gets its head.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fixbook.text import _
from generator.site.head import Head
from generator.site.live_markup import MarkupError, check_markup
from generator.site.policy import check_policy
from generator.text.guard import as_html
from generator.text.marks import without

if TYPE_CHECKING:
    from pathlib import Path

    from generator.pages.tree import Tree
    from generator.site.material import Rendered
    from generator.view.edition import Edition

LISTED = "search/search_index.json"  # the pages as MkDocs' search plugin lists them
_CONTENT = re.compile(r"<article[\s>].*</article>", re.DOTALL)


def finish(site: Path, tree: Tree, edition: Edition, rendered: Rendered) -> None:
    """Finish the pages of one language.

    Args:
        site: What the renderer wrote.
        tree: What it was written from.
        edition: The book in that language.
        rendered: What is particular to the renderer.

    Raises:
        MarkupError: A page holds an element, an attribute or an address that no page has.
        PolicyError: A page needs what its policy forbids.
        WorkerError: Material's search is not where it is looked for.
    """
    finisher = Finisher(edition, rendered, tree.heads())
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        path.write_text(finisher.finished(path.read_text("utf-8"), name), "utf-8")
    finish_listed(site)


class Finisher:
    """Finishes single pages of one language.

    Args:
        edition: The book in that language.
        rendered: What is particular to the renderer.
        heads: What is known of each page, by its address.
    """

    def __init__(
        self, edition: Edition, rendered: Rendered, heads: dict[str, dict[str, Any]]
    ) -> None:
        self._heads = heads
        self._mend = rendered.mend
        self._head = Head(edition, rendered.policy)

    def finished(self, made: str, name: str) -> str:
        """Return what a renderer made as a page of the site.

        Args:
            made: The page, with stand-ins for the signs of markup.
            name: Its path below the language.

        Raises:
            MarkupError: It holds an element, an attribute or an address that no page has.
            PolicyError: It needs what its policy forbids.
            WorkerError: Material's search is not where it is looked for.
        """
        known = self._heads.get(name.removesuffix("index.html"))
        page = as_html(made)
        if known:
            check_markup(_content(page, name), name)
        page = self._mend(self._head.put(page, name, known), name)
        check_policy(page, name)
        return page


def finish_listed(site: Path) -> None:
    """Give the signs back in the list of pages that MkDocs' search plugin wrote, without marks."""
    path = site / LISTED
    if path.is_file():
        listed = json.loads(path.read_text("utf-8"))  # it may be written in escapes
        path.write_text(as_html(without(json.dumps(listed, ensure_ascii=False))), "utf-8")


def _content(page: str, name: str) -> str:
    """What a renderer made of the Markdown: all from the first <article> to the end of the last."""
    found = _CONTENT.search(page)
    if not found:
        what = _("{page} has no <article> around its content; the theme must write one")
        raise MarkupError(what.format(page=name))
    return found[0]
