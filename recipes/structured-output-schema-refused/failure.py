"""A request with a JSON schema, a regex or a grammar, and what vLLM makes of it."""

from __future__ import annotations

from typing import Any

from proof_server import Server

PLAIN = "vllm serve MODEL"
XGRAMMAR = "vllm serve MODEL --structured-outputs-config.backend xgrammar"

CODE = {"type": "string", "pattern": "^[A-Z]+$", "maxLength": 4}
TAGS = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
YEAR = {"type": "string", "pattern": "^(?!0)[0-9]{4}$"}
ITEM = {"$ref": "#/$defs/Item"}


def ask(**properties: Any) -> dict[str, Any]:
    """Ask for an object of these properties, as the OpenAI client does."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return by_schema(schema)


def by_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Ask for an answer by this schema."""
    named = {"name": "answer", "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def send(request: dict[str, Any], answer: str = "", command: str = PLAIN) -> dict[str, Any]:
    """Send the request; return who constrains the answer, and whether this answer passes."""
    server = Server(command)
    taken = server.take(request)
    return taken | {"passes": server.lets_pass(answer)}
