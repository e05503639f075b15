"""Recipes run by themselves: their headers ask for all they import, and say where fixbook is."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.problem import Problem
from fixbook.recipe.reading import entry_uses, from_checkout, metadata, module_of, parse, pins
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.reading import Outline


def recipes_run_alone(reading: Reading) -> Iterator[Problem]:
    """Check what ``uv run recipe.py`` installs; only a checkout knows what could be asked for."""
    known = pins(reading.book.root)
    for item in reading.entries if known else ():
        text = item.recipe.read_text("utf-8")
        if "fixbook" not in (metadata(text) or {}).get("dependencies", []):
            what = _("its header does not ask for fixbook")
            yield Problem(str(item.recipe), what, _('add "fixbook" to its dependencies'))
        elif from_checkout(text) != text:
            what = _("its header does not take fixbook from the checkout")
            yield Problem(str(item.recipe), what, _("run 'scripts/write-pins'"))
        outline = reading.outline(item)
        for name, step in _undeclared(item, outline, known).items():
            what = _("step {step!r} imports {name}, which the header does not ask for")
            mend = _("add {need} to its dependencies").format(need=f'"{name}=={known[name]}"')
            yield Problem(str(item.recipe), what.format(step=step, name=name), mend)
        for path in sorted(item.folder.glob("proof_*.py")):
            if metadata(path.read_text("utf-8")) is not None:
                what = _("has script metadata, and is not run by itself")
                mend = _("name what it needs in the header of recipe.py")
                yield Problem(str(path), what, mend)


def _undeclared(item: BookEntry, outline: Outline, known: Iterable[str]) -> dict[str, str]:
    """Return what an entry's steps import and its header does not ask for.

    What a step brings in an overlay of its own is not missed, and neither is a name that stands in
    a text alone: it may be that of a stand-in.

    Args:
        item: The entry.
        outline: Its recipe.
        known: The distributions that could be asked for, by canonical name.

    Returns:
        A step that imports it, by distribution.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    declared = {canonicalize_name(one.name) for one in outline.dependencies}
    modules = {module_of(name): name for name in known if name not in declared}
    written = set(_imported(item)) & modules.keys()
    missing: dict[str, str] = {}
    for step, uses in entry_uses(item, outline).items() if written else ():
        brought = outline.steps[step].needs.versions
        overlaid = {canonicalize_name(text.partition("==")[0]) for text in brought}
        for name in written.intersection(one.lower() for one in uses.imports | uses.started):
            if modules[name] not in overlaid:
                missing.setdefault(modules[name], step)
    return missing


def _imported(item: BookEntry) -> Iterator[str]:
    """Name the top-level modules that an entry's Python files and snippets import."""
    codes = [path.read_bytes() for path in sorted(item.folder.glob("*.py"))]
    codes += [one.code.encode() for one in item.entry.snippets.values() if one.language == "python"]
    for code in codes:
        try:
            nodes = list(ast.walk(parse(code)))
        except SyntaxError:  # a snippet may show a mistake
            continue
        for node in nodes:
            match node:
                case ast.Import(names=names):
                    yield from (one.name.partition(".")[0].lower() for one in names)
                case ast.ImportFrom(module=str(module), level=0):
                    yield module.partition(".")[0].lower()
