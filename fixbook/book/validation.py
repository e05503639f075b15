"""Build a typed model from YAML; say every mistake with its line and its remedy."""

from __future__ import annotations

import difflib
import functools
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from fixbook.problem import BookError, Problem
from fixbook.text import N_, _

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from fixbook.book.yaml_source import Key, YamlSource

Model = TypeVar("Model", bound=BaseModel)
_SHOWN = 60
_EXPECTED = {
    "string_type": N_("write text; put it in quotes if YAML takes it for something else"),
    "string_too_short": N_("must not be empty"),
    "string_too_long": N_("must not be longer than {max_length} characters"),
    "string_pattern_mismatch": N_("must match the pattern {pattern}"),
    "bool_type": N_("write true or false"),
    "bool_parsing": N_("write true or false"),
    "int_type": N_("write a whole number"),
    "int_parsing": N_("write a whole number"),
    "list_type": N_("write a list"),
    "dict_type": N_("write keys with values"),
    "model_type": N_("write keys with values"),
    "literal_error": N_("must be {expected}"),
    "too_short": N_("needs at least {min_length}, has {actual_length}"),
    "date_from_datetime_parsing": N_("write a date such as 2026-11-21"),
    "date_type": N_("write a date such as 2026-11-21"),
}


def build_model(model: type[Model], source: YamlSource) -> Model:
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
    name = ".".join(map(str, key)) or _("the file")
    where = source.where(key)
    match detail["type"]:
        case "missing":
            return Problem(where, _("{name}: missing").format(name=name), _to_add(key))
        case "extra_forbidden":
            what = _("{name}: unknown key").format(name=name)
            return Problem(where, what, _nearest(model, key))
        case _:
            what = _("{name}: found {value}").format(name=name, value=_short(detail["input"]))
            return Problem(where, what, _expected(detail))


def _to_add(key: Key) -> str:
    if key[-1] in {"zh", "en"}:
        return _("add the {language} text").format(language=key[-1])
    return _("add a value for {name!r}").format(name=key[-1])


def _expected(detail: ErrorDetails) -> str:
    """Say what a field takes: in our words where there are any, else in pydantic's."""
    words = _EXPECTED.get(detail["type"])
    if words is None:
        return detail["msg"].removeprefix("Value error, ")
    return _(words).format(**detail.get("ctx", {}))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _nearest(model: type[BaseModel], key: Key) -> str:
    names = _field_names(model, key[:-1])
    close = difflib.get_close_matches(str(key[-1]), names, n=1)
    if close:
        return _("did you mean {names}?").format(names=repr(close[0]))
    return _("remove it, or use one of: {names}").format(names=", ".join(sorted(names)))


@functools.cache  # a file may have thousands of unknown keys, and each asks for it
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _field_names(model: type[BaseModel], parents: Key) -> list[str]:
    """Walk the published schema to the object that holds the unknown key."""
    schema = _schema(model)
    here: dict[str, Any] = schema
    for part in parents:
        here = _resolve(schema, here)
        if isinstance(part, int):
            here = here.get("items", {})
        else:
            named = here.get("properties", {}).get(part) or here.get("additionalProperties")
            here = named or here  # what is no key is the name of one type of several
    return list(_resolve(schema, here).get("properties", {}))


def _resolve(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    for option in node.get("anyOf", []):
        if "$ref" in option:
            node = option
    if "$ref" in node:
        resolved: dict[str, Any] = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
        return resolved
    return node
