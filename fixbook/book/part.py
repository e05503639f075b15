"""A page of the book with what its text names: nothing else of the book has to be read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book.fields import SLUG
from fixbook.book.loading import Book, load_book, load_entry, load_symptom
from fixbook.book.mentions import MENTION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def load_part(root: Path, name: str) -> Book:
    """Load one entry, or a message with the entries that share it, and what their texts mention.

    Args:
        root: Where the book lies, as `fixbook.book_root.book_root` finds it.
        name: Slug of the entry, or id of the message.

    Returns:
        A book of these alone; the whole one, without what is wrong, if it has nothing of the name.

    Raises:
        BookError: What was asked for, or what it mentions, is wrong.
    """
    own = root / "recipes" / name / "entry.yaml"
    message = root / "symptoms" / f"{name}.yaml"
    if not SLUG.fullmatch(name) or not (own.is_file() or message.is_file()):
        return load_book(root, strict=False)
    folders = list(_sharing(root, name)) if message.is_file() else [own.parent]
    files = [own if own.is_file() else message]
    entries = {folder.name: folder for folder in folders}
    symptoms = {name: message} if message.is_file() else {}
    for found in MENTION.finditer("".join(file.read_text("utf-8", "replace") for file in files)):
        if found["kind"] == "entry":
            entries[found["id"]] = root / "recipes" / found["id"]
        elif found["kind"] == "message":
            symptoms[found["id"]] = root / "symptoms" / f"{found['id']}.yaml"
    return Book(
        root,
        {slug: load_entry(entries[slug]) for slug in sorted(entries)},
        {one: load_symptom(symptoms[one]) for one in sorted(symptoms)},
    )


def _sharing(root: Path, message: str) -> Iterator[Path]:
    """Yield the folders of entries that may share a message: those that name it at all."""
    for path in sorted((root / "recipes").glob("*/entry.yaml")):
        if message.encode() in path.read_bytes():
            yield path.parent
