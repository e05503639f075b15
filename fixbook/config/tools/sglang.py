"""SGLang: the options of its server, declared one by one or as annotated fields."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from fixbook.config.extract.classes import Shape
    from fixbook.config.setting import Section
    from fixbook.config.tool import Keys

SERVE = "launch_server"
_DECLARED = ("sglang/srt/server_args.py", "sglang/srt/arg_groups/")
# Names of models that make pictures and films, for which `sglang serve` has other options.
_PICTURES = re.compile(r"(?i)flux|wan-?ai|\bwan\d|image|video|diffusion|sana|ltx|z-?turbo|\bsd\d")
_READ_OTHERWISE = {"type_parser", "action", "nargs", "choices"}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import within
    from fixbook.config.extract.options import options

    keys: Keys = {}
    for path, text in within(files, *_DECLARED).items():
        if path.endswith(".py"):
            module = ast.parse(text)
            keys |= {name: shape for node in ast.walk(module) for name, shape in _annotated(node)}
            keys |= {name.replace("-", "_"): shape for name, shape in options(module)}
    return {SERVE: keys}


def _annotated(node: ast.AST) -> Iterator[tuple[str, Shape]]:
    """Options of a field ``name: A[type, "help"]`` or ``name: A[type, Arg(...)]``."""
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
                shape = _shape(annotation, given.keys())
                own = _texts(given.get("cli_name")) or [name]
                for option in (*own, *_texts(given.get("aliases"))):
                    yield option.removeprefix("--").replace("-", "_"), shape


def _shape(annotation: ast.expr, given: AbstractSet[str]) -> Shape:
    """Describe what an option accepts, where its annotation alone says so."""
    from fixbook.config.extract.classes import Classes, Shape

    shape = Classes({}).shape(annotation)
    return shape if shape.is_strict and not given & _READ_OTHERWISE else Shape({"any"})


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
