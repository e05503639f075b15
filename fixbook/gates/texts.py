"""Walk the bilingual texts of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from fixbook.book import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Key


def texts_of(model: BaseModel) -> Iterator[tuple[Key, Text]]:
    """Yield every bilingual text of a model with its key path."""
    yield from _walk(model, ())


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
