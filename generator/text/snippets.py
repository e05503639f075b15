"""A piece of an article as HTML, for the page that shows it outside of its article."""

from __future__ import annotations

import functools
import re

from markdown import Markdown

from generator.text.guard import as_html, guard
from generator.text.markup import block

_ANCHOR = re.compile(r'href="#')
_EXTENSIONS = [
    "attr_list",
    "tables",
    "pymdownx.highlight",
    "pymdownx.superfences",
    "generator.text.safe_markdown",
]
_OPTIONS = {
    "pymdownx.highlight": {"use_pygments": True, "pygments_lang_class": True},
    "tables": {"use_align_attribute": True},  # the policy of the pages forbids styles in them
}


@functools.cache
def _renderer() -> Markdown:
    return Markdown(extensions=_EXTENSIONS, extension_configs=_OPTIONS)


def html_of(text: str, slug: str) -> str:
    """Render a text of an entry; its anchors lead to the article.

    Args:
        text: Markdown of the entry.
        slug: The entry.
    """
    rendered: str = _renderer().reset().convert(block(guard(text)))
    return _ANCHOR.sub(f'href="{slug}/#', as_html(rendered))
