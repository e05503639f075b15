"""Which files of the book have a style, and what each describes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import yaml

from fixbook.book import Entry, Rule, Symptom, bounded_text, reject_tricks
from fixbook.style.source import StyleError, format_source
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pydantic import BaseModel

_PATTERNS = ("recipes/*/entry.yaml", "rules/*/rule.yaml", "symptoms/*.yaml")
_BY_NAME: dict[str, type[BaseModel]] = {"entry.yaml": Entry, "rule.yaml": Rule}


def book_files(folder: Path) -> Iterator[Path]:
    """Yield the files with a style in a book, or in one folder of it, sorted."""
    for pattern in _PATTERNS:
        room, _slash, inside = pattern.partition("/")
        yield from sorted(folder.glob(inside if folder.name == room else pattern))
    for name in _BY_NAME:
        if (folder / name).is_file():
            yield folder / name


def read_file(path: Path) -> tuple[str, str]:
    """Return the text of one of these files, and the same in the one style.

    Args:
        path: The file; its name and folder say what it describes.

    Raises:
        BookError: It cannot be read, is too large, or is more than plain data.
        StyleError: It is none of these files, is not valid YAML, or cannot be written without loss.
    """
    model = _BY_NAME.get(path.name)
    if model is None and path.resolve().parent.name == "symptoms" and path.suffix == ".yaml":
        model = Symptom
    if model is None:
        what = _("is no entry.yaml, no rule.yaml and no file of symptoms/")
        raise StyleError(what)
    text = bounded_text(path)
    with contextlib.suppress(yaml.YAMLError):  # what is wrong is said below
        reject_tricks(path, text)
    return text, format_source(text, model)
