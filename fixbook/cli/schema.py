"""``fixbook schema``: the JSON Schema of entry.yaml."""

from __future__ import annotations

import json
from typing import Any

import click

from fixbook.entry import Entry


def entry_schema() -> dict[str, Any]:
    """Return the JSON Schema that editors complete and check entry.yaml with."""
    schema = Entry.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of entry.yaml."""
    click.echo(json.dumps(entry_schema(), ensure_ascii=False, indent=2))
