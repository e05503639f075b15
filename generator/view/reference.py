"""What an author can write, read from the code: fields, decorators, formats, gates."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from fixbook import recipe
from fixbook.book import (
    Text,
    case,
    docstring_items,
    docstring_summary,
    entry,
    models_in,
    parts,
    proof,
    queries,
    read_yaml,
    rule,
    threads,
)
from fixbook.gates import GATES
from fixbook.recipe import helpers
from fixbook.recipe.author import devices, skip
from fixbook.recipe.author import snippets as shown
from fixbook.recipe.author import steps as decorators
from fixbook.text import figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.text import Lang

MODELS: tuple[type[BaseModel], ...] = (
    entry.Entry, parts.Aliases, proof.Boundary, proof.NotExecuted, proof.Claim,
    parts.Signature,
    parts.Shares, parts.SilentTwin, parts.Detect, parts.Snippet, parts.Fix, parts.ConfigChange,
    case.Case, case.Value, parts.NonFix, proof.StepClaims, proof.OnCuda, proof.Fails, parts.Names,
    parts.Bar, proof.Said, proof.LogFile, parts.Reference, queries.Query, queries.Words,
    threads.Thread, rule.Rule,
    rule.Condition, rule.Edit, rule.Proof,
)  # fmt: skip
DECORATORS: tuple[Callable[..., Any], ...] = (
    decorators.reproduce,
    decorators.detect,
    decorators.fix,
    decorators.non_fix,
)
FUNCTIONS: tuple[Callable[..., Any], ...] = (
    devices.device, devices.backend, decorators.measure, skip,
    shown.snippet, shown.run_snippet, shown.snippet_text,
    *(one for name in helpers.__all__ if inspect.isfunction(one := getattr(helpers, name))),
)  # fmt: skip
TRANSLATIONS = Path(__file__).with_name("reference.yaml")


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A field of a file, or an argument.

    Attributes:
        name: How it is written.
        type: What it takes, as code.
        required: Whether it has to be there.
        text: What it is, in English.
        model: The table that describes what it holds, if there is one.
    """

    name: str
    type: str
    required: bool
    text: str
    model: str = ""


def fields_of(model: type[BaseModel]) -> list[Field]:
    """Return the fields of a model, in its order."""
    texts = docstring_items(model)
    return [
        Field(
            field.alias or name,
            written(field.annotation),
            field.is_required(),
            texts.get(name, ""),
            next((found.__name__ for found in models_in(field.annotation) if found in MODELS), ""),
        )
        for name, field in model.model_fields.items()
    ]


def headings() -> dict[str, str]:
    """Return what each table is called: the field that holds it, as a path from its file."""
    found: dict[str, str] = {}
    for model in MODELS:
        for field in fields_of(model):
            above = found.get(model.__name__)
            own = f"{above}.{field.name}" if above else field.name
            if field.model and field.model != model.__name__:
                found.setdefault(field.model, own)
    return found


def needs() -> list[Field]:
    """Return what every decorator takes besides its own arguments."""
    texts = docstring_items(decorators.Needs)
    types_ = typing.get_type_hints(decorators.Needs, vars(typing) | {"Mapping": dict})
    return [
        Field("needs" if name == "packages" else name, written(types_[name]), False, text)  # noqa: FBT003
        for name, text in texts.items()
    ]


def signature(function: Callable[..., Any]) -> str:
    """Return how a function is called, without types."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
    ]
    text = str(inspect.Signature(parameters))
    return f"{function.__name__}{text}"


def import_of(function: Callable[..., Any]) -> str:
    """Return the line with which a recipe imports a function."""
    door = recipe if function.__name__ in recipe.__all__ else helpers
    return f"from {door.__name__} import {function.__name__}"


def gates() -> dict[str, str]:
    """Return what each gate asks for."""
    return {name: docstring_summary(gate) for name, gate in GATES.items()}


def formats() -> str:
    """Return what may follow ``|`` in ``{{step.measure|format}}``."""
    return docstring_items(figures.show_figure, "Args")["spec"]


def texts() -> Iterator[str]:
    """Yield every English text of the reference."""
    for model in MODELS:
        yield docstring_summary(model)
        yield from (field.text for field in fields_of(model))
    yield from (field.text for field in needs())
    for function in (*DECORATORS, *FUNCTIONS):
        yield docstring_summary(function)
        yield from docstring_items(function, "Args").values()
    yield from gates().values()
    yield formats()


@cache
def _chinese() -> dict[str, str]:
    return {row["en"]: row["zh"] for row in read_yaml(TRANSLATIONS).value}


def in_language(text: str, lang: Lang) -> str:
    """Return a text of the reference in a language; one without a translation stays English."""
    return _chinese().get(text, text) if lang == "zh" else text


def written(annotation: Any) -> str:  # noqa: PLR0911  (a table of types)
    """Return what a field takes, as an author writes it.

    Args:
        annotation: The type of the field.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is typing.Annotated:
        return written(arguments[0])
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin in {Union, types.UnionType}:
        return " | ".join(written(one) for one in arguments if one is not type(None))
    if origin in {list, tuple}:
        return f"[{written(arguments[0])}, …]"
    if origin is dict:
        return f"{{{written(arguments[0])}: {written(arguments[1])}}}"
    if annotation is Text:
        return "{zh, en}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "{…}"
    names = {str: "text", bool: "true | false", float: "number", int: "number", Any: "value"}
    return names.get(annotation, getattr(annotation, "__name__", str(annotation)))
