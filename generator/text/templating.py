"""The Jinja environment that lays out Markdown."""

from __future__ import annotations

import functools
import json
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator import PROJECT
from generator.text.code import code_block, portable_block
from generator.text.markup import attribute, block, inline, item, plain, short, verbatim

FOLDER = PROJECT / "generator/templates"


@functools.cache
def _environment() -> Environment:
    # The output is Markdown, not HTML: escaping is decided where a value meets an attribute.
    environment = Environment(  # noqa: S701
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "attribute": attribute,
        "block": block,
        "fence": code_block,
        "inline": inline,
        "item": item,
        "plain": plain,
        "portable": portable_block,
        "short": short,
        "verbatim": verbatim,
        "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    }
    return environment


def render(template: str, **values: Any) -> str:
    """Render a template of ``generator/templates``.

    Args:
        template: Its file name.
        **values: What it lays out.
    """
    return _environment().get_template(template).render(**values)
