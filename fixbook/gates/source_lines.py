"""Code that runs by ``-c`` has no source line in its traceback before Python 3.13."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fixbook.gates.calls import Calls
from fixbook.problem import Problem
from fixbook.recipe.reading import parse
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.gates.reading import Reading

_BY_C = "run_python()"  # the helper that hands code to an interpreter with -c


def printable_lines(reading: Reading) -> Iterator[Problem]:
    """Check that no step expects a source line of code that runs by ``-c`` in its log."""
    for item in reading.entries:
        programs = list(_programs(item.folder))
        if not programs:
            continue
        outline, calls = reading.outline(item), Calls(item.folder)
        for name, claims in item.entry.steps.items():
            pattern = claims.fails.log if claims.fails else None
            if pattern is None or name not in outline.code:
                continue
            by_c = _BY_C in calls.reached(outline.code[name])
            if by_c and any(_is_source_alone(pattern, program) for program in programs):
                what = _("step {step!r} expects {pattern!r}, a source line of code run by -c")
                what = what.format(step=name, pattern=pattern)
                mend = _("run the code from a file: Python before 3.13 prints no such line")
                yield Problem(item.source.where(("steps", name, "fails")), what, mend)


def _programs(folder: Path) -> Iterator[str]:
    """The Python programs that a recipe holds as text, or reads from a file as text."""
    for path in sorted(folder.glob("*.py")):
        try:
            tree = parse(path.read_text("utf-8"))
        except SyntaxError:
            continue  # reported where the recipe is read
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(text)) if "\n" in text:
                    yield text
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Call(
                            func=ast.Attribute(attr="with_name"),
                            args=[ast.Constant(value=str(name))],
                        ),
                        attr="read_text",
                    )
                ) if (folder / name).is_file():
                    yield (folder / name).read_text("utf-8")


def _is_source_alone(pattern: str, program: str) -> bool:
    """Tell whether a pattern is found in the code of a program, and in no text that it prints."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return False
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    if any(re.search(pattern, text) for text in texts if isinstance(text, str)):
        return False
    return any(re.search(pattern, line) for line in program.splitlines())
