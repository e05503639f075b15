"""vLLM: the options of its OpenAI server, from its engine's arguments and its own."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.config.tool import Keys

SERVE = "serve"
# What follows is the options: the command, the module, or the image whose entry point it is.
_COMMAND = r"(?:^|/)vllm serve$|vllm[./]entrypoints[./]openai[./]api_server(?:\.py)?$"
_IMAGE = r"(?:^|/)vllm/vllm-openai[\w-]*(?::[\w.-]+)?$"
_ENGINE = "vllm/engine/arg_utils.py"
_DECLARED = re.compile(
    r"vllm/(?:engine/arg_utils|scripts|entrypoints/(?:cli/serve|(?:\w+/)*cli_args))\.py"
)
_FRONTEND = ("BaseFrontendArgs", "FrontendArgs")  # each of whose fields is an option
_OPTION = re.compile(r"--[a-z][\w-]+")
_OPPOSITE = {"enable_": "disable_", "disable_": "enable_"}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within
    from fixbook.config.extract.options import options

    declared = {path: text for path, text in files.items() if _DECLARED.fullmatch(path)}
    parsed = {path: ast.parse(text) for path, text in declared.items()}
    classes = Classes(declared)
    frontend = {key: field for name in _FRONTEND for key, field in classes.fields(name).items()}
    fields = {**classes.fields("AsyncEngineArgs"), **frontend}
    names = {*frontend, *_in_loops(parsed.values())}
    keys: Keys = dict.fromkeys(names, Shape({"any"}))
    for module in parsed.values():
        keys |= {name.replace("-", "_"): shape for name, shape in options(module)}
    spelt = _Spelt([*map(ast.parse, within(files, "vllm/config").values()), *parsed.values()])
    annotated = frontend.keys() | _annotated(parsed.values())
    loose = _named_where_kwargs_are_made(parsed[_ENGINE])
    switches: Keys = {}
    for key in keys.keys() & fields.keys():
        shape = classes.shape(spelt.visit(fields[key].annotation))
        if "bool" in shape.types:
            switches |= dict.fromkeys(_negated(key), Shape({"any"}))
        if key in annotated:
            keys[key] = shape if key not in loose and shape.is_strict else Shape({"any"})
    return {SERVE: switches | keys}


def _negated(key: str) -> list[str]:
    """Return the names that turn a switch off."""
    inverse = [off + key.removeprefix(on) for on, off in _OPPOSITE.items() if key.startswith(on)]
    return [f"no_{key}", *inverse]


def _annotated(modules: Iterable[ast.Module]) -> set[str]:
    """Return the options that are declared from the annotations of fields: ``**kwargs[...]``."""
    calls = [
        node
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and any(item.arg is None for item in node.keywords)
    ]
    names = [
        str(item.value) for call in calls for item in call.args if isinstance(item, ast.Constant)
    ]
    return {name[2:].replace("-", "_") for name in names if name.startswith("--")}


def _in_loops(modules: Iterable[ast.Module]) -> set[str]:
    """Return the options that a loop declares: ``for name, type in [("--name", str), ...]``."""
    loops = [node for module in modules for node in ast.walk(module) if _is_list(node)]
    items = [item for loop in loops for item in ast.walk(loop) if isinstance(item, ast.Constant)]
    return {
        str(item.value)[2:].replace("-", "_")
        for item in items
        if _OPTION.fullmatch(str(item.value))
    }


def _is_list(node: ast.AST) -> bool:
    return isinstance(node, ast.List) and any(isinstance(item, ast.Tuple) for item in node.elts)


def _named_where_kwargs_are_made(module: ast.Module) -> set[str]:
    """Return the options whose values are read in a way of their own, such as ``32k``."""
    made = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef) and node.name.endswith("_kwargs")
    ]
    return {
        str(item.value)
        for node in made
        for item in ast.walk(node)
        if isinstance(item, ast.Constant)
    }


class _Spelt(ast.NodeTransformer):
    """Puts ``Literal[...]`` in the place of the names that files give to it."""

    def __init__(self, modules: Iterable[ast.Module]) -> None:
        self._names: dict[str, ast.Subscript] = {}
        for node in (node for module in modules for node in module.body):
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Subscript(value=ast.Name(id="Literal")) as value,
                ):
                    self._names[name] = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what a name stands for."""
        return self.visit(self._names[node.id]) if node.id in self._names else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        """Return a list of values with those of the lists in it."""
        self.generic_visit(node)
        if getattr(node.value, "id", "") == "Literal" and isinstance(node.slice, ast.Tuple):
            node.slice.elts = [one for item in node.slice.elts for one in _values(item)]
        return node


def _values(item: ast.expr) -> list[ast.expr]:
    match item:
        case ast.Subscript(slice=ast.Tuple(elts=values)):
            return values
        case ast.Subscript(slice=value):
            return [value]
        case _:
            return [item]


TOOL = Tool(
    "vllm",
    "vLLM",
    command=re.compile(f"{_COMMAND}|{_IMAGE}"),
    extract=_extract,
    serves=True,
)
