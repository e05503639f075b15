"""What a reader sees of a built page: without code, without what is folded, without markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.text import Lang

MOST = {"en": 500, "zh": 900}
_OTHER_TAB = "tabbed-block, not the first"
_VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
_LEFTOVER = re.compile(r"\{:[^}]*\}?|\{\{[^}]*\}?\}?")
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9][\w'.+/=-]*")


class PageError(Exception):
    """A built page shows what no reader should see; the message names it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text of a page.

    Attributes:
        text: The text.
        code: Whether it is code, in a block or in a line.
        block: Whether it is code in a block.
        folded: Whether a reader has to open something, or choose another tab, to see it.
        article: Whether it belongs to the page's own content.
    """

    text: str
    code: bool
    block: bool
    folded: bool
    article: bool


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.pieces: list[Piece] = []
        self._tabs: list[int] = []  # of each open set of tabs, how many have begun

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        kind = dict(attrs).get("class") or ""
        if kind == "tabbed-content":
            self._tabs.append(0)
        elif kind == "tabbed-block" and self._tabs:
            self._tabs[-1] += 1
            kind = kind if self._tabs[-1] == 1 else _OTHER_TAB
        self.open.append((tag, kind))

    def handle_endtag(self, tag: str) -> None:
        names = [name for name, _ in self.open]
        if tag in names:
            begin = len(names) - 1 - names[::-1].index(tag)
            if any(kind == "tabbed-content" for _, kind in self.open[begin:]):
                self._tabs.pop()
            del self.open[begin:]

    def handle_data(self, data: str) -> None:
        tags = [name for name, _ in self.open]
        hidden = {"script", "style", "template", "head"} & set(tags)
        if hidden or not data.strip() or any("headerlink" in c for _, c in self.open):
            return
        folds = tags.count("details") - ("summary" in tags)
        folds += any(kind == _OTHER_TAB for _, kind in self.open)
        piece = Piece(data, bool({"code", "pre"} & set(tags)), "pre" in tags, folds > 0,
                      "article" in tags)  # fmt: skip
        self.pieces.append(piece)


def pieces(page: str) -> Iterator[Piece]:
    """Return the texts of a page, in its order."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    yield from reader.pieces


def open_text(page: str) -> str:
    """Return what a reader sees of an article without opening anything, code blocks left out.

    Args:
        page: The built page, as HTML.
    """
    shown = (p.text for p in pieces(page) if p.article and not p.folded and not p.block)
    return " ".join(" ".join(shown).split())


def length(text: str, lang: Lang) -> int:
    """Return how long a text is: words in English; in Chinese, Han characters and other words."""
    words = len(_WORD.findall(_HAN.sub(" ", text)))
    return words + len(_HAN.findall(text)) if lang == "zh" else words


def too_long(page: str, lang: Lang) -> str:
    """Say by how much the open text of an article is too long; empty if it is not."""
    seen, most = length(open_text(page), lang), MOST[lang]
    if seen <= most:
        return ""
    said = {
        "zh": _("open text has {seen} characters, at most {most} are allowed; fold or drop {over}"),
        "en": _("open text has {seen} words, at most {most} are allowed; fold or drop {over}"),
    }
    return said[lang].format(seen=seen, most=most, over=seen - most)


def check_pages(site: Path) -> None:
    """See to it that no page of a built language shows raw attribute lists or placeholders.

    Raises:
        PageError: With every page that does, and what it shows.
    """
    wrong = []
    for path in sorted(site.rglob("*.html")):
        wrong += _raw(path.read_text("utf-8"), path.relative_to(site).as_posix())
    _refuse(wrong)


def check_page(page: str, name: str) -> None:
    """See to the same on one page.

    Args:
        page: HTML.
        name: What it is called in a message.

    Raises:
        PageError: With what it shows.
    """
    _refuse(_raw(page, name))


def _raw(page: str, name: str) -> list[str]:
    found = []
    for piece in pieces(page) if _LEFTOVER.search(page) else ():
        raw = None if piece.code else _LEFTOVER.search(piece.text)
        if raw:
            shown = " ".join(piece.text.split())[:80]
            what = _("{page} shows {found!r} in {shown!r}")
            found.append(what.format(page=name, found=raw[0], shown=shown))
    return found


def _refuse(wrong: list[str]) -> None:
    if wrong:
        mend = _("mend the template or the entry's text that this comes from")
        raise PageError("\n".join([*wrong, mend]))
