"""The order of keys: that of the model's fields, which is the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book import models_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel


def field_order(models: tuple[type[BaseModel], ...]) -> list[str]:
    """Return the keys of a mapping in the order of the page.

    Args:
        models: What the mapping may be; none where its keys are names that the writer chose.
    """
    return list(dict.fromkeys(key for model in models for key in _keys(model)))


def models_below(models: tuple[type[BaseModel], ...], key: str) -> tuple[type[BaseModel], ...]:
    """Return what the value of a key may be, or the values of a list or mapping there.

    Args:
        models: What the mapping with that key may be.
        key: The key.
    """
    found: list[type[BaseModel]] = []
    for model in models:
        for name, field in model.model_fields.items():
            if key in (name, field.alias):
                found.extend(models_in(field.annotation))
    return tuple(dict.fromkeys(found))


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name
