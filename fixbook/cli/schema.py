"""``fixbook schema``: the JSON Schema of entry.yaml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fixbook.book import Entry, docstring_items, models_in
from fixbook.text import printable_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel


def entry_schema() -> dict[str, Any]:
    """Return the JSON Schema that editors complete, explain and check entry.yaml with."""
    schema = Entry.model_json_schema(by_alias=True)
    tables = {"Entry": schema, **schema["$defs"]}
    for model in _models(Entry, set()):
        texts = docstring_items(model)
        for name, field in model.model_fields.items():
            if name in texts:
                place = tables[model.__name__]["properties"][field.alias or name]
                place["description"] = texts[name].replace("``", "`")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _models(model: type[BaseModel], seen: set[type]) -> Iterator[type[BaseModel]]:
    """Yield a model and those that its fields hold, each once."""
    seen.add(model)
    yield model
    for field in model.model_fields.values():
        for held in models_in(field.annotation):
            if held not in seen:
                yield from _models(held, seen)


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of entry.yaml."""
    click.echo(printable_json(entry_schema()))
