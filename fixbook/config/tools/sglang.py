"""SGLang: the options of its server, declared one by one or as annotated fields."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.extract.classes import Shape
    from fixbook.config.extract.lists import Lists
    from fixbook.config.setting import Section
    from fixbook.config.tool import Keys

SERVE = "launch_server"
_DECLARED = ("sglang/srt/server_args.py", "sglang/srt/arg_groups/")
# Names in modules of their own, which the parser asks for as it is made.
_NAMES = {
    "tool_call_parser": ("sglang/srt/function_call/parser_names.py", "TOOL_CALL_PARSER_NAMES"),
    "reasoning_parser": ("sglang/srt/parser/reasoning_parser_names.py", "REASONING_PARSER_NAMES"),
}
# Names of models that make pictures and films, for which `sglang serve` has other options.
_PICTURES = re.compile(r"(?i)flux|wan-?ai|\bwan\d|image|video|diffusion|sana|ltx|z-?turbo|\bsd\d")
_READ_OTHERWISE = {"type_parser", "action", "nargs", "choices"}
_SIZES = "human_readable_int"  # reads ``32k`` as well


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Shape, within
    from fixbook.config.extract.lists import Lists
    from fixbook.config.extract.options import options

    declared = {p: text for p, text in within(files, *_DECLARED).items() if p.endswith(".py")}
    modules = [ast.parse(text) for text in declared.values()]
    lists = Lists(modules)
    keys: Keys = {}
    for module in modules:
        for node in ast.walk(module):
            keys |= dict(_annotated(node, lists))
        keys |= {name.replace("-", "_"): shape for name, shape in options(module, lists)}
    for key, (path, name) in _NAMES.items():
        if names := Lists([ast.parse(files.get(path, ""))]).values(ast.Name(name)):
            keys[key] = Shape({"literal"}, ["auto", *names])
    return {SERVE: keys}


def _annotated(node: ast.AST, lists: Lists) -> Iterator[tuple[str, Shape]]:
    """Options of a field ``name: A[type, "help"]`` or ``name: A[type, Arg(...)]``."""
    from fixbook.config.extract.options import is_pair

    match node:
        case ast.AnnAssign(
            target=ast.Name(id=name),
            annotation=ast.Subscript(
                value=ast.Name(id="A"), slice=ast.Tuple(elts=[annotation, *others])
            ),
        ):
            given = {
                item.arg: item.value
                for call in others
                if isinstance(call, ast.Call)
                for item in call.keywords
                if item.arg
            }
            if "no_cli" not in given:
                shape = _shape(annotation, given, lists)
                own = _texts(given.get("cli_name")) or [name]
                for option in (*own, *_texts(given.get("aliases"))):
                    named = option.removeprefix("--").replace("-", "_")
                    yield named, shape
                    if "action" in given and is_pair(given["action"]):
                        yield f"no_{named}", shape


def _shape(annotation: ast.expr, given: Mapping[str, ast.expr], lists: Lists) -> Shape:
    """Describe what an option accepts: its annotation, or the choices or parser beside it, say."""
    from fixbook.config.extract.classes import Classes, Shape
    from fixbook.config.extract.options import is_pair

    shape = Classes({}).shape(annotation)
    otherwise = given.keys() & _READ_OTHERWISE
    if shape.types == {"bool"} and not otherwise:
        return Shape({"flag"})
    if otherwise == {"action"} and is_pair(given["action"]):
        return Shape({"flag"})
    if otherwise == {"choices"} and not shape.types - {"str", "null"}:
        values = lists.values(given["choices"])
        return Shape({"literal"}, values) if values else Shape({"any"})
    if otherwise == {"type_parser"} and getattr(given["type_parser"], "id", "") == _SIZES:
        return Shape({"size"})
    return shape if shape.is_strict and not otherwise else Shape({"any"})


def _texts(node: ast.expr | None) -> list[str]:
    """Return the texts that an expression holds."""
    return [
        item.value
        for item in (ast.walk(node) if node else ())
        if isinstance(item, ast.Constant) and isinstance(item.value, str)
    ]


def is_other(section: Section, words: list[str]) -> bool:
    """Tell whether ``sglang serve`` starts another server than the one whose options are known.

    It chooses one by the model, as long as ``--model-type`` does not say which.
    """
    if section.tool != TOOL.name or words[0] != "serve":
        return False
    chosen = section.settings.pop("model_type", None)
    kind = chosen.value if chosen else "auto"
    return kind not in {"auto", "llm"} or (kind == "auto" and any(map(_PICTURES.search, words)))


TOOL = Tool(
    "sglang",
    "SGLang",
    command=re.compile(r"sglang[./]launch_server(?:\.py)?$|(?:^|/)sglang serve$"),
    extract=_extract,
    serves=True,
)
