"""Run one step of a recipe in this process.

Started as ``python -m fixbook.recipe.process.worker RECIPE STEP``, once per rank, or called in a
process that was forked. Exit code 86 means that the versions found are not the versions the step
asked for; 87 that the step called `skip`, whose reason is recorded beside the measures.
"""

from __future__ import annotations

import gc
import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.recipe.author.skip import Skipped
from fixbook.recipe.author.steps import Step, measure, record_skip, steps_of
from fixbook.recipe.process.allocation import note_allocation, noted, on_a_gpu
from fixbook.recipe.process.fork import run_as_program
from fixbook.recipe.process.missing_names import AbsentNameError, find_in, spec_of

if TYPE_CHECKING:
    from collections.abc import Sequence

STAND_IN_VARIABLE = "FIXBOOK_GPU_LIBRARIES"  # of steps on GPUs that stand in
VERSIONS_VARIABLE = "FIXBOOK_VERSIONS"  # what the runner brings; it may swap what is declared
WRONG_VERSION = 86
SKIPPED = 87
# Large libraries make millions of objects while they are imported, and none is garbage: looking
# through them again and again is a fifth of the time that most steps take.
_COLLECT_AFTER = 200_000


def load_steps(recipe: Path) -> dict[str, Step]:
    """Import a recipe file under a private name and return its steps."""
    find_in(recipe.parent)  # as for a script: its own modules lie beside it
    name = f"recipe_{recipe.parent.name.replace('-', '_')}"
    spec = spec_of(name, recipe)
    if spec is None or spec.loader is None:
        raise ImportError(f"{recipe} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickling and dataclasses look the module up
    spec.loader.exec_module(module)
    return steps_of(recipe)


def wrong_versions(versions: Sequence[str]) -> list[str]:
    """Say which of the requested exact versions this process would not import.

    A package missing from an overlay silently falls back to the main environment; only the
    metadata that the import system sees tells.
    """
    problems = []
    for requirement in versions:
        name, _, asked = requirement.partition("==")
        try:
            seen = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            seen = "nothing"
        if seen.partition("+")[0] != asked.partition("+")[0]:
            problems.append(f"asked for {name}=={asked}, found {seen}")
    return problems


def misplaced_modules(versions: Sequence[str]) -> list[str]:
    """Say which imported modules did not come from the distribution that was asked for."""
    problems = []
    for requirement in versions:
        name = requirement.partition("==")[0]
        root = Path(str(importlib.metadata.distribution(name).locate_file(""))).resolve()
        module = sys.modules.get(name.replace("-", "_"))
        file = getattr(module, "__file__", None)
        if file and not Path(file).resolve().is_relative_to(root):
            problems.append(f"{name} was imported from {file}, not from {root}")
    return problems


def _stop_if(problems: list[str]) -> None:
    if problems:
        sys.stderr.write("wrong version: " + "; ".join(problems) + "\n")
        sys.exit(WRONG_VERSION)


def main(argv: Sequence[str]) -> None:
    """Run the step and record what it returns."""
    gc.set_threshold(_COLLECT_AFTER)
    try:
        _run(Path(argv[0]), argv[1])
    except AbsentNameError as absent:
        raise absent.error from None


def _run(recipe: Path, name: str) -> None:
    step = load_steps(recipe)[name]
    brought = os.environ.get(VERSIONS_VARIABLE)
    versions = step.needs.versions if brought is None else brought.split()
    _stop_if(wrong_versions(versions))
    if step.function is None:
        raise TypeError(f"{name!r} was registered without a function")
    if on_a_gpu():
        note_allocation()
    try:
        values = step.function()
    except Skipped as reason:
        record_skip(str(reason))
        sys.exit(SKIPPED)
    finally:
        if on_a_gpu():
            noted()
        _stop_if(misplaced_modules(versions))
    if values:
        measure(**values)


if __name__ == "__main__":
    if STAND_IN_VARIABLE in os.environ:
        # Values of these GPUs are computed by Python in torch's own threads, too; a thread that
        # wants the interpreter while it is taken down ends the process.
        run_as_program(lambda: main(sys.argv[1:]))
    main(sys.argv[1:])
