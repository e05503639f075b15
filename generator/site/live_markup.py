"""Refuse a page that holds an element, an attribute or an address that no page of ours has.

Texts are guarded before they become Markdown; this looks at what came out, so that no way around
that guard is ever published.
"""

from __future__ import annotations

import re

from fixbook.text import _
from generator.text.safe_markdown import allowed

_TAG = re.compile(r"<(/?[a-zA-Z][^\s/>]*|[!?])((?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>?")
_ATTRIBUTE = re.compile(r"([^\s\"'=/>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_ELEMENTS = re.compile(
    r"a|article|b|blockquote|br|button|code|dd|del|details|div|dl|dt|em|form|h1|h2|h3|h4|"
    r"h5|h6|hr|i|img|input|kbd|label|li|noscript|ol|p|pre|rect|s|section|small|span|strong|sub|"
    r"summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|tr|ul"
)
_ATTRIBUTES = re.compile(
    r"align|alt|autocapitalize|autocomplete|checked|class|colspan|download|for|height|"
    r"href|hidden|id|lang|markdown|multiple|name|open|placeholder|rel|role|rows|rowspan|"
    r"spellcheck|src|start|tabindex|title|type|value|webkitdirectory|width"
)


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of the tag that a text begins with, by their names in small letters."""
    found = _TAG.match(tag)
    pairs = _ATTRIBUTE.findall(found[2]) if found else ()
    return {name.lower(): "".join(values) for name, *values in pairs}


class MarkupError(Exception):
    """A page holds live markup that no page should hold; the message names it."""


def check_markup(content: str, page: str) -> None:
    """Look at the content of a page, without what surrounds it on the site.

    Args:
        content: Its HTML.
        page: Its name, for the message.

    Raises:
        MarkupError: It holds what no page of ours does.
    """
    for tag in _TAG.finditer(content):
        name = tag[1].lstrip("/").lower()
        if not _ELEMENTS.fullmatch(name) or not all(map(_harmless, _ATTRIBUTE.findall(tag[2]))):
            what = _("{page} holds live markup: {shown!r}; texts are Markdown, without HTML")
            raise MarkupError(what.format(page=page, shown=tag[0][:80]))


def _harmless(attribute: tuple[str, str, str, str]) -> bool:
    name, value = attribute[0].lower(), "".join(attribute[1:])
    if name in {"href", "src"}:
        return allowed(value)
    return bool(_ATTRIBUTES.fullmatch(name)) or name.startswith(("data-", "aria-"))
