"""What a tool has against a configuration, in words. Needs no tool.

Tools drop unknown keys in silence, so those are found by comparing with the fields that the tool's
own schema declares.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def unknown_keys(model: type[BaseModel], config: dict[str, Any], parent: str = "") -> Iterator[str]:
    """Say which keys of a configuration a model and those below it do not have."""
    known: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        alias = field.validation_alias or field.alias
        known |= {name: field, **({alias: field} if isinstance(alias, str) else {})}
    for key, value in config.items():
        if key in known:
            nested = _nested_model(known[key].annotation)
            if nested is not None and isinstance(value, dict):
                yield from unknown_keys(nested, value, f"{parent}{key}.")
        elif model.model_config.get("extra") != "allow":
            yield unknown_key(parent + key, key, known)


def _nested_model(annotation: Any) -> type[BaseModel] | None:
    options = [annotation, *getattr(annotation, "__args__", ())]
    models = [item for item in options if isinstance(item, type) and issubclass(item, BaseModel)]
    return models[0] if len(models) == 1 else None


def unknown_key(shown: str, key: str, known: Iterable[str]) -> str:
    """Say that a key is not known, with the most similar one."""
    close = difflib.get_close_matches(key, list(known), n=1)
    return f"{shown!r} is not a key" + (f"; did you mean {close[0]!r}?" if close else "")


def first_line(error: Exception) -> str:
    """Return the line of an error that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if "validation error" not in line), repr(error))
