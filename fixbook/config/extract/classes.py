"""The fields of dataclasses and pydantic models, read from source."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SCALARS = {"bool", "int", "float", "str"}
_LISTS = {"list", "List", "Sequence", "tuple", "Tuple", "set", "conlist"}
_DICTS = {"dict", "Dict", "Mapping", "DictDefault"}
_WRAPPERS = {"Optional", "Union", "Required", "NotRequired", "ClassVar"}
_NUMBERS = {
    "PositiveInt": "int",
    "NonNegativeInt": "int",
    "PositiveFloat": "float",
    "NonNegativeFloat": "float",
}


_NESTED = 1


def within(files: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    """Return the files below some folders."""
    return {path: text for path, text in files.items() if path.startswith(prefixes)}


@dataclass(slots=True)
class Shape:
    """What a key accepts.

    Attributes:
        types: Names of JSON types, or ``any``.
        values: The only values accepted, where the type lists them.
        model: Class whose fields stand below the key.
    """

    types: set[str] = field(default_factory=set)
    values: list[Any] = field(default_factory=list)
    model: str | None = None

    @property
    def is_strict(self) -> bool:
        """True if a command line takes what is named here and nothing else."""
        return not self.types - {"int", "float", "null"} or not self.types - {"literal", "null"}


class Classes:
    """Every class of a set of files, by name."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.nodes: dict[str, ast.ClassDef] = {}
        for path in sorted(files):
            if path.endswith(".py"):
                for node in ast.walk(_parse(files[path])):
                    if isinstance(node, ast.ClassDef):
                        self._keep(node)

    def _keep(self, node: ast.ClassDef) -> None:
        known = self.nodes.get(node.name)
        if known is None or len(node.body) > len(known.body):
            self.nodes[node.name] = node

    def bases(self, name: str) -> list[str]:
        """Return the names of a class's direct bases."""
        return [_last(base) for base in self.nodes[name].bases] if name in self.nodes else []

    def fields(self, name: str, seen: frozenset[str] = frozenset()) -> dict[str, ast.AnnAssign]:
        """Return the annotated fields of a class and its bases, by every name they go by."""
        if name not in self.nodes or name in seen:
            return {}
        found: dict[str, ast.AnnAssign] = {}
        for base in reversed(self.bases(name)):
            found |= self.fields(base, seen | {name})
        for node in self.nodes[name].body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if "ClassVar" in ast.dump(node.annotation) or node.target.id.startswith("_"):
                    continue
                for key in (node.target.id, *_aliases(node.value)):
                    found[key] = node
        return found

    def keys(self, name: str, parent: str = "", depth: int = 0) -> dict[str, Shape]:
        """Return what each field of a class accepts, with the fields of classes below it."""
        keys: dict[str, Shape] = {}
        for key, node in self.fields(name).items():
            shape = self.shape(node.annotation)
            keys[parent + key] = shape
            if shape.model and depth <= _NESTED and not shape.types & {"any", "list"}:
                keys |= self.keys(shape.model, f"{parent}{key}.", depth + 1)
        return keys

    def arguments(self, name: str) -> dict[str, Shape]:
        """Return the arguments of a class's constructor, with those it takes by an older name."""
        nodes = self.nodes[name].body if name in self.nodes else []
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                taken = [one.arg for one in (*node.args.args[1:], *node.args.kwonlyargs)]
                return {key: Shape({"any"}) for key in (*taken, *_deprecated(node))}
        return {}

    def shape(self, annotation: ast.expr | None) -> Shape:
        """Describe what an annotation accepts."""
        shape = Shape()
        self._describe(annotation, shape)
        return shape

    def members(self, name: str) -> list[Any] | None:
        """Return the values of an enumeration, or None if the class is none."""
        if not any("Enum" in base for base in self.bases(name)):
            return None
        values: list[Any] = []
        for node in self.nodes[name].body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                values.append(node.value.value)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                values.append(node.targets[0].id)
        return values

    def _describe(self, node: ast.expr | None, shape: Shape) -> None:
        match node:
            case ast.Constant(value=None):
                shape.types.add("null")
            case ast.Constant(value=str() as text):
                self._describe(ast.parse(text, mode="eval").body, shape)
            case ast.BinOp(left=left, right=right):
                self._describe(left, shape)
                self._describe(right, shape)
            case ast.Subscript(value=outer, slice=inner):
                self._subscript(_last(outer), inner, shape)
            case ast.Name() | ast.Attribute():
                self._name(_last(node), shape)
            case _:
                shape.types.add("any")

    def _subscript(self, outer: str, inner: ast.expr, shape: Shape) -> None:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if outer == "Literal":
            shape.values += [part.value for part in parts if isinstance(part, ast.Constant)]
            shape.types.add("literal")
        elif outer in _WRAPPERS:
            shape.types |= {"null"} if outer == "Optional" else set()
            for part in parts:
                self._describe(part, shape)
        elif outer == "Annotated":
            self._annotated(parts, shape)
        elif outer in _LISTS or outer in _DICTS:
            shape.types.add("list" if outer in _LISTS else "dict")
        else:
            shape.types.add("any")

    def _annotated(self, parts: list[ast.expr], shape: Shape) -> None:
        if any("Validator" in ast.dump(part) for part in parts[1:]):
            shape.types.add("any")
        else:
            self._describe(parts[0], shape)

    def _name(self, name: str, shape: Shape) -> None:
        members = self.members(name)
        if members is not None:
            shape.values += members
            shape.types.add("enum")
        elif name in _SCALARS:
            shape.types.add(name)
        elif name in _NUMBERS:
            shape.types.add(_NUMBERS[name])
        elif name in _LISTS or name in _DICTS:
            shape.types.add("list" if name in _LISTS else "dict")
        elif name in self.nodes and self.fields(name):
            shape.types.add("dict")
            shape.model = name
        else:
            shape.types.add("any")


def _aliases(value: ast.expr | None) -> Iterator[str]:
    """Names given in ``Field(alias="a", validation_alias=AliasChoices("b", "c"))``."""
    if isinstance(value, ast.Call):
        for keyword in value.keywords:
            if keyword.arg in {"alias", "validation_alias"}:
                for node in ast.walk(keyword.value):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        yield node.value


def _deprecated(node: ast.FunctionDef) -> Iterator[str]:
    """Names that ``@deprecate_kwarg("old", new_name="new")`` still takes."""
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and _last(call.func).lstrip("_").startswith("deprecate"):
            yield from (
                argument.value
                for argument in call.args[:1]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            )


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])
