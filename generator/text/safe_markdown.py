"""A Markdown extension: what `generator.text.guard` guards is code again, and links lead to pages.

An address that is a program or data is dropped.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.treeprocessors import Treeprocessor

from generator.text.guard import as_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

    from markdown import Markdown

SCHEMES = {"http", "https", "mailto"}
_LAST = -1  # after all that makes links or attributes, and after MkDocs has looked at them
_AMPERSAND, _ESCAPED = "\x02amp\x03", re.compile("\x02(\\d{1,6})\x03")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")
_MOST = 4  # times an address may be written in entities


def allowed(address: str) -> bool:
    """Tell whether an address, as a browser reads it, is relative or has an allowed scheme.

    Args:
        address: The address, as it stands in Markdown or in HTML.
    """
    seen = _ESCAPED.sub(lambda one: chr(min(int(one[1]), 0x10FFFF)), as_text(address))
    seen = seen.replace(_AMPERSAND, "&")
    for _ in range(_MOST):
        seen = html.unescape(seen)
    # A browser drops control signs and spaces from the beginning, and some from everywhere.
    seen = "".join(sign for sign in seen if sign > " " and sign.isprintable()).lower()
    scheme = _SCHEME.match(seen)
    return scheme is None or scheme[1] in SCHEMES


class _Links(Treeprocessor):  # type: ignore[misc]  # Markdown is not typed
    def run(self, root: Element) -> None:
        for element in root.iter():
            for name in ("href", "src"):
                address = element.get(name)
                if address is not None and not allowed(address):
                    del element.attrib[name]


class SafeMarkdown(Extension):  # type: ignore[misc]
    """Gives blocks of code their signs back, and drops the addresses that lead to no page."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (the name is Markdown's)
        """Register what looks at every link, last."""
        md.registerExtension(self)
        md.treeprocessors.register(_Links(md), "safe_links", _LAST)
        self._md = md

    def reset(self) -> None:
        """Stand between the blocks of code and what highlights them: once they are found."""
        fences = self._md.preprocessors["fenced_code_block"]
        if not isinstance(fences.rebuild_block, _AsText):
            fences.rebuild_block = _AsText(fences.rebuild_block)


class _AsText:
    def __init__(self, rebuild: Callable[[list[str]], str]) -> None:
        self._rebuild = rebuild

    def __call__(self, lines: list[str]) -> str:
        return as_text(self._rebuild(lines))


def makeExtension(**options: Any) -> SafeMarkdown:  # noqa: N802  (the name is Markdown's)
    """Return the extension, as Markdown asks for it."""
    return SafeMarkdown(**options)
