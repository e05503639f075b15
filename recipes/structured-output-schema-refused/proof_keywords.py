"""Schemas with a keyword that xgrammar does not enforce, and answers that it lets through."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import xgrammar

from fixbook.recipe import measure, snippet

NUMBERS = {"a": {"type": "integer"}, "b": {"type": "integer"}}
ONE_A = '{"a": 1}'
BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, "[1, 1]"),
    ({"type": "array", "items": {"type": "integer"}, "contains": {"const": 3}}, "[1]"),
    ({"type": "string", "not": {"enum": ["no"]}}, '"no"'),
    ({"type": "object", "properties": NUMBERS, "if": {"required": ["a"]}, "then": False}, ONE_A),
    ({"type": "object", "properties": NUMBERS, "dependentRequired": {"a": ["b"]}}, ONE_A),
    (
        {
            "type": "object",
            "properties": NUMBERS,
            "dependentSchemas": {"a": {"required": ["b"]}},
        },
        ONE_A,
    ),
    ({"type": "string", "pattern": "^(?!0)[0-9]{4}$"}, '"0123"'),
    ({"type": "string", "pattern": "^[A-Z]+$", "maxLength": 4}, '"ABCDEFGH"'),
    ({"type": "number", "multipleOf": 0.5}, "0.7"),
    ({"type": "integer", "exclusiveMinimum": 0, "multipleOf": 3}, "7"),
    ({"minimum": 5}, "3"),
    ({"maxLength": 3}, '"abcdef"'),
    ({"minItems": 2}, "[1]"),
    ({"type": "object", "required": ["a"]}, "{}"),
    ({"type": "object", "properties": NUMBERS, "required": ["c"]}, ONE_A),
    ({"type": "integer", "enum": [1, 5], "minimum": 3}, "1"),
]
KEPT: list[tuple[dict[str, Any], str]] = [
    ({"type": "string", "pattern": "^[1-9][0-9]{3}$"}, '"0123"'),
    ({"type": "integer", "minimum": 5}, "3"),
    ({"type": "string", "maxLength": 3}, '"abcdef"'),
    ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, "[1]"),
    ({"type": "integer", "multipleOf": 5}, "7"),
    ({"type": "string", "enum": ["yes"]}, '"no"'),
    ({"properties": NUMBERS, "required": ["a"]}, "{}"),
    ({"items": {"type": "integer"}, "minItems": 2}, "[1]"),
    (
        {
            "type": "object",
            "propertyNames": {"pattern": "^a$"},
            "additionalProperties": {"type": "integer"},
        },
        '{"b":1}',
    ),
]


def lets_pass(schema: dict[str, Any], answer: str) -> bool:
    """Tell whether xgrammar's matcher takes this answer, and its end."""
    words = [bytes([number]) for number in range(256)]
    info = xgrammar.TokenizerInfo(
        [*words, b"</s>"], xgrammar.VocabType.RAW, stop_token_ids=[len(words)]
    )
    grammar = xgrammar.GrammarCompiler(info).compile_json_schema(json.dumps(schema))
    matcher = xgrammar.GrammarMatcher(grammar)
    return bool(matcher.accept_string(answer) and matcher.accept_token(len(words)))


def compare(cases: list[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    """Give the page's list each schema, and xgrammar an answer that is against it."""
    listed = passed = 0
    for schema, answer in cases:
        valid = jsonschema.Draft202012Validator(schema).is_valid(json.loads(answer))
        assert not valid, schema
        passed += lets_pass(schema, answer)
        Path("schema.json").write_text(json.dumps(schema), "utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            listed += bool(snippet("ignored")["found"])
    measure(schemas=len(cases), listed=listed, passed=passed)
    return {"found": listed > 0}
