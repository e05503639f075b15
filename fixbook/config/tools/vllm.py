"""vLLM: the options of its OpenAI server, from its engine's arguments and its own."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.config.extract.classes import Shape
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
_CONFIG = re.compile(
    r"\b(?:[A-Z]\w+Config|HfOverrides)\b"
)  # classes of its own, which are read from JSON
# Where the names are that an option takes, and plugins add to.
_NAMES = {
    "quantization": (
        r"vllm/model_executor/layers/quantization/__init__\.py",
        "QuantizationMethods",
    ),
    "kv_cache_dtype": (r"vllm/config(?:/cache)?(?:/__init__)?\.py", "CacheDType"),
    "load_format": (r"vllm/model_executor/model_loader/__init__\.py", "LoadFormats"),
    "attention_backend": (r"vllm/v1/attention/backends/registry\.py", "AttentionBackendEnum"),
    "tool_call_parser": (r"vllm/tool_parsers/__init__\.py", "_TOOL_PARSERS_TO_REGISTER"),
    "reasoning_parser": (r"vllm/reasoning/__init__\.py", "_REASONING_PARSERS_TO_REGISTER"),
}
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
            types = {"flag" if key in annotated else "any"}
            switches |= dict.fromkeys(_negated(key), Shape(types))
        if key in annotated:
            is_json = bool(_CONFIG.search(ast.unparse(fields[key].annotation)))
            keys[key] = _on_command_line(shape, is_json=is_json, is_loose=key in loose)
    named = _known_names(files)
    keys |= {key: Shape({"named"}, named[key]) for key in keys.keys() & named.keys()}
    return {SERVE: switches | keys}


def _on_command_line(shape: Shape, *, is_json: bool, is_loose: bool) -> Shape:
    """Return what an option takes that is declared from the annotation of a field."""
    from fixbook.config.extract.classes import Shape

    if "bool" in shape.types:
        return Shape({"any"} if "str" in shape.types else {"flag"})
    if is_loose and shape.types <= {"int", "null"}:
        return Shape({"size"})
    if is_json or ("dict" in shape.types and not shape.types & {"list", "literal"}):
        return Shape({"json"})
    return shape if not is_loose and shape.is_strict else Shape({"any"})


def _known_names(files: Mapping[str, str]) -> dict[str, list[Any]]:
    """Return the names that an option takes, where a list of its own has them; plugins add some."""
    from fixbook.config.extract.classes import Classes
    from fixbook.config.extract.lists import Lists

    found: dict[str, list[Any]] = {}
    for key, (file, *lists) in _NAMES.items():
        declared = {path: text for path, text in files.items() if re.fullmatch(file, path)}
        known = Lists(map(ast.parse, declared.values()))
        classes = Classes(declared)
        for name in lists:
            values = known.values(ast.Name(name))
            if name in classes.nodes and classes.bases(name)[:1] == ["Enum"]:
                members = [
                    node for node in classes.nodes[name].body if isinstance(node, ast.Assign)
                ]
                values = [
                    target.id
                    for node in members
                    for target in node.targets
                    if isinstance(target, ast.Name)
                ]
                values = [*values, "auto"]
            if values:
                found.setdefault(key, values)
    return found


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
