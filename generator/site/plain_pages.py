"""Pages without a theme: Python-Markdown with the site's extensions and a template of one line."""

from __future__ import annotations

import functools
from typing import Any

import yaml
from markdown import Markdown

from generator import PROJECT

_PAGE = "<!doctype html><html><head><!-- head --></head><body><article>{}</article></body></html>"
_FRONT = "---\n"


@functools.cache
def _settings() -> dict[str, Any]:
    text = (PROJECT / "mkdocs.yml").read_text("utf-8")
    settings: dict[str, Any] = yaml.safe_load(text)["markdown_extensions"]
    return settings


def plain_page(text: str) -> str:
    """Render a page of the tree.

    Args:
        text: Its Markdown, with front matter.

    Returns:
        HTML; the signs of markup are still stand-ins (`generator.text.guard`).
    """
    settings = _settings()
    made = Markdown(extensions=list(settings), extension_configs=settings)
    return _PAGE.format(made.convert(text.lstrip("\n").split(_FRONT, 2)[2]))
