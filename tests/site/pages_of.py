"""What pages of the small book say, and parts of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.pages.article import article, evidence_of_entry, exported
from generator.text.guard import as_text
from generator.view.edition import Edition
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from fixbook.text import Lang
    from generator.view.library import Library


def text_of(library: Library, lang: Lang = "en") -> str:
    return as_text(article(Edition(library, lang).views[SLUG], library).text)


def evidence_text(library: Library, lang: Lang = "en") -> str:
    return as_text(evidence_of_entry(Edition(library, lang).views[SLUG], library).text)


def export_text(library: Library, lang: Lang = "en") -> str:
    return as_text(exported(Edition(library, lang).views[SLUG]))


def folded(text: str, anchor: str) -> str:
    """Return what is folded away under an id, with its summary."""
    start = re.search(rf'<details class="fb-more" id="{anchor}"', text)
    assert start, anchor
    return text[start.start() :].partition("</details>")[0]


def section(text: str, anchor: str) -> str:
    """Return what stands under a heading, up to the next heading of its level or above."""
    start = re.search(rf"(?m)^(#+) .*\{{: #{anchor} \}}$", text)
    assert start, anchor
    rest = text[start.end() :]
    after = re.search(rf"(?m)^#{{1,{len(start[1])}}} ", rest)
    return rest[: after.start()] if after else rest


def anchors(text: str) -> list[str]:
    return re.findall(r"(?m)^#+ .*\{: #([\w-]+) \}$", text)
