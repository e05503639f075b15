"""Each entry as a notebook: the failure, the measurement, the fix, and what holds where it runs.

It is made from what the article is made of. Its cells start the command, so that every step keeps a
process of its own: an assertion on a GPU would end the kernel's. No cell has an output, as none has
run yet.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import nbformat
from packaging.requirements import Requirement

from fixbook.recipe.reading import metadata
from fixbook.site_address import wheel_address
from generator.text.code import Code
from generator.text.guard import as_text
from generator.text.links import absolute
from generator.text.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.view.article import ArticleView
    from generator.view.fixes import Remedy
    from generator.view.steps import StepView

FAILURE = "failure.py"  # the failing code of an entry, as a user would write it
_OWN_TORCH = {"axolotl"}  # asks for one release of torch, so pip would replace the reader's
_CELL = re.compile(r"(?ms)^```\{code-cell\} (?P<name>[a-z]+)\n(?P<code>.*?)\n+```$")
_BLOCK_OR_GAP = re.compile(r"(?ms)^(?P<block>`{3,}).*?^(?P=block)$|\n{3,}")


def notebook(view: ArticleView, site: str) -> str:
    """Return an entry as a notebook in one language, as the JSON of an ``.ipynb`` file.

    Args:
        view: The entry in that language.
        site: Address that readers will use, without a slash at its end.

    Raises:
        nbformat.ValidationError: It would be no notebook.
    """
    text = render("notebook.md.j2", **_values(view, site))
    cells = list(_cells(absolute(text, view.lang, site)))
    form = {"nbformat": nbformat.v4.nbformat, "nbformat_minor": nbformat.v4.nbformat_minor}
    # Validated as a whole: nbformat's own constructors validate each cell, several times as slowly.
    made = {**form, "metadata": _metadata(view), "cells": cells}
    nbformat.validate(made)
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def libraries(view: ArticleView) -> list[str]:
    """Return the distributions that an entry's recipe asks for, besides fixbook, without versions.

    Args:
        view: The entry.
    """
    found = metadata(view.dossier.item.recipe.read_text("utf-8")) or {}
    asked = [Requirement(text).name for text in found.get("dependencies", [])]
    return [name for name in asked if name != "fixbook"]


def _values(view: ArticleView, site: str) -> dict[str, Any]:
    asked = libraries(view)
    failure = view.dossier.item.folder / FAILURE
    fix = _first(sorted(view.of_kind("fix"), key=lambda step: _place(view, step)))
    return {
        "t": view.words,
        "lang": view.lang,
        "view": view,
        "entry": view.entry,
        "page": f"{site}/{view.lang}/{view.slug}/",
        "wheel": wheel_address(site),
        "libraries": [name for name in asked if name not in _OWN_TORCH],
        "left_out": [name for name in asked if name in _OWN_TORCH],
        "code": Code(failure.read_text("utf-8"), "python") if failure.is_file() else None,
        "failure": _first(view.of_kind("reproduce")),
        "measurement": _measurement(view),
        "fix": fix,
        "remedy": _remedy(view, fix),
    }


def _first(steps: Iterable[StepView]) -> list[StepView]:
    """Return the first step, of those that the reader's machine is likeliest to run."""
    return sorted(steps, key=_rare)[:1]


def _rare(step: StepView) -> int:
    needs = step.step.needs
    return 4 * bool(needs.versions) + 2 * needs.on.startswith("cuda") + bool(needs.record_once)


def _measurement(view: ArticleView) -> list[StepView]:
    """Return a measurement that finds the defect, and one that must not find it."""
    steps = view.of_kind("detect")
    found = _first(step for step in steps if step.step.found)
    silent = [step for step in steps if step.step.found is False]
    beside = [step for step in silent if found and step.step.control == found[0].id]
    return found + _first(beside or silent)


def _place(view: ArticleView, step: StepView) -> int:
    targets = [fix.about.id for fix in view.fixes]
    return targets.index(step.step.target) if step.step.target in targets else len(targets)


def _remedy(view: ArticleView, steps: list[StepView]) -> Remedy:
    return next((fix for fix in view.fixes for step in steps if _is_of(step, fix)), view.fixes[0])


def _is_of(step: StepView, fix: Remedy) -> bool:
    return step.step.target == fix.about.id


def _cells(text: str) -> Iterator[dict[str, Any]]:
    """Cut a text at its cells of code.

    Texts of the book are guarded here still: none of them can pass for a cell.
    """
    end = number = 0
    for number, cell in enumerate(_CELL.finditer(text), start=1):
        yield _prose(text[end : cell.start()], number)
        yield {
            "cell_type": "code",
            "id": cell["name"],
            "metadata": {},
            "source": _lines(as_text(cell["code"])),
            "outputs": [],
            "execution_count": None,
        }
        end = cell.end()
    yield _prose(text[end:], number + 1)


def _prose(text: str, number: int) -> dict[str, Any]:
    closed = _BLOCK_OR_GAP.sub(lambda found: found[0] if found["block"] else "\n\n", text)
    # Ids are numbered, not drawn by lot: what has not changed is the same file.
    cell = {"cell_type": "markdown", "id": f"text-{number}", "metadata": {}}
    return {**cell, "source": _lines(as_text(closed))}


def _lines(text: str) -> list[str]:
    return text.strip().splitlines(keepends=True)


def _metadata(view: ArticleView) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    if any(step.step.needs.on != "cpu" for step in view.steps.values()):
        found["accelerator"] = "GPU"  # Colab then offers a machine that has one
    return found
