"""Build a typed model from YAML; say every mistake with its line and its remedy."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from fixbook.problem import BookError, Problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from fixbook.yaml_source import Key, YamlSource

Model = TypeVar("Model", bound=BaseModel)
_SHOWN = 60


def build(model: type[Model], source: YamlSource) -> Model:
    """Validate a YAML file against a model.

    Args:
        model: The pydantic model of the file.
        source: The file's value and line numbers.

    Raises:
        BookError: With one problem per mistake.
    """
    try:
        return model.model_validate(source.value)
    except ValidationError as error:
        problems = [_problem(model, source, detail) for detail in error.errors(include_url=False)]
        raise BookError(problems) from None


def _problem(model: type[BaseModel], source: YamlSource, detail: ErrorDetails) -> Problem:
    key: Key = tuple(detail["loc"])
    name = ".".join(map(str, key)) or "the file"
    where = source.where(key)
    match detail["type"]:
        case "missing":
            language = "the " + str(key[-1]) + " text" if key[-1] in {"zh", "en"} else "a value"
            return Problem(where, f"{name}: missing", f"add {language} for {key[-1]!r}")
        case "extra_forbidden":
            return Problem(where, f"{name}: unknown key", _nearest(model, key))
        case _:
            expected = detail["msg"].removeprefix("Value error, ")
            return Problem(where, f"{name}: found {_short(detail['input'])}", expected)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _nearest(model: type[BaseModel], key: Key) -> str:
    names = _field_names(model, key[:-1])
    close = difflib.get_close_matches(str(key[-1]), names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "remove it, or use one of: " + ", ".join(sorted(names))


def _field_names(model: type[BaseModel], parents: Key) -> list[str]:
    """Walk the published schema to the object that holds the unknown key."""
    schema = model.model_json_schema()
    here: dict[str, Any] = schema
    for part in parents:
        here = _resolve(schema, here)
        if isinstance(part, int):
            here = here.get("items", {})
        else:
            here = here.get("properties", {}).get(part) or here.get("additionalProperties", {})
    return list(_resolve(schema, here).get("properties", {}))


def _resolve(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    for option in node.get("anyOf", []):
        if "$ref" in option:
            node = option
    if "$ref" in node:
        resolved: dict[str, Any] = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
        return resolved
    return node
