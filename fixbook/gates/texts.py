"""Walk the bilingual texts of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from fixbook.book import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Key
    from fixbook.gates.reading import Reading


def texts_of(model: BaseModel) -> Iterator[tuple[Key, Text]]:
    """Yield every bilingual text of a model with its key path."""
    yield from _walk(model, ())


def texts_of_entries(reading: Reading) -> Iterator[tuple[str, Key, Text]]:
    """Yield every bilingual text of the entries: where it is, its key, itself."""
    for item in reading.entries:
        for key, text in texts_of(item.entry):
            yield item.source.where(key), key, text


def texts_of_rules(reading: Reading) -> Iterator[tuple[str, Key, Text]]:
    """Yield every bilingual text of the rules in the same way."""
    for item in reading.book.rules.values():
        for key, text in texts_of(item.rule):
            yield item.where(*key), key, text


def texts_of_messages(reading: Reading) -> Iterator[tuple[str, Key, Text]]:
    """Yield every bilingual text of the pages on shared messages in the same way."""
    for name, symptom in reading.book.symptoms.items():
        for key, text in texts_of(symptom):
            yield f"symptoms/{name}.yaml", key, text


def _walk(value: Any, key: Key) -> Iterator[tuple[Key, Text]]:
    if isinstance(value, Text):
        yield key, value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _walk(getattr(value, name), (*key, name))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _walk(item, (*key, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, (*key, index))
