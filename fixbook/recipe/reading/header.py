"""The script metadata of a recipe (PEP 723): with it, ``uv run recipe.py`` needs nothing but uv.

Fixbook itself never comes from an index, where anyone may take its name: in a checkout it is the
checkout, in a folder that a reader downloads it is the wheel that the site serves.
"""

from __future__ import annotations

import ast
import re
from typing import Any

BLOCK = re.compile(r"(?m)^# /// script\n(?P<toml>(?:^#(?: .*)?\n)+?)^# ///$")
DEPENDENCIES = re.compile(r"(?ms)^# dependencies = \[(?P<items>.*?)\]")
_FIRST = "import fixbook.recipe.alone  # begins here, before it imports what may be missing\n\n"
_CHECKOUT = '#\n# [tool.uv.sources]\n# fixbook = { path = "../..", editable = true }\n'
_SOURCES = re.compile(r"(?m)^#\n# \[tool\.uv\.sources\]\n# fixbook = .*\n")


def metadata(text: str) -> dict[str, Any] | None:
    """Return the metadata of a script; None if it has none.

    Args:
        text: The script.

    Raises:
        ValueError: It is not TOML.
    """
    import tomllib  # noqa: PLC0415  (pages read no header)

    block = BLOCK.search(text)
    if not block:
        return None
    lines = (line.removeprefix("#").removeprefix(" ") for line in block["toml"].splitlines())
    return tomllib.loads("\n".join(lines))


def from_checkout(text: str) -> str:
    """Return a script that takes fixbook from the checkout it lies in.

    Args:
        text: The script.
    """

    def sourced(block: re.Match[str]) -> str:
        bare = _SOURCES.sub("", block[0])
        return DEPENDENCIES.sub(lambda found: f"{found[0]}\n{_CHECKOUT}".rstrip("\n"), bare)

    return BLOCK.sub(sourced, text, count=1)


def from_address(text: str, address: str) -> str:
    """Return a script that takes fixbook from an address, wherever the script lies.

    Args:
        text: The script.
        address: Of the wheel.
    """

    def sourced(block: re.Match[str]) -> str:
        bare = _SOURCES.sub("", block[0])
        return DEPENDENCIES.sub(
            lambda found: found[0].replace('"fixbook"', f'"fixbook @ {address}"'), bare
        )

    return BLOCK.sub(sourced, text, count=1)


def begun_alone(text: str) -> str:
    """Return a recipe that asks fixbook first when it is run as a program.

    Its own imports would end it where one of them is missing, which costs a few of its steps alone.

    Args:
        text: The recipe.
    """
    first = next(
        (
            node.lineno - 1
            for node in ast.parse(text).body
            if isinstance(node, ast.Import)
            or (isinstance(node, ast.ImportFrom) and node.module != "__future__")
        ),
        None,
    )
    if first is None:
        return text
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:first], _FIRST, *lines[first:]])
