"""The decorators a recipe is written with, and what they collect.

This module is imported inside every step's process, beside whatever versions an overlay brings,
so it uses the standard library only.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fixbook.recipe.author.snippets import MEASURES_VARIABLE
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    StepFunction = Callable[[], Mapping[str, Any] | None]

Decorated = TypeVar("Decorated", bound="Callable[[], Mapping[str, Any] | None]")

START = ("auto", "cold")
DEVICES = re.compile(r"any|cpu|cuda(?:>=(\d+))?")


@dataclass(frozen=True, slots=True)
class Needs:
    """What a step needs from the machine and what it may use of it.

    Attributes:
        on: ``any`` where nothing in the failure is about the processor: it runs on the GPUs of a
            machine that has one for each rank, else on its CPU (see `device`); ``cpu``, ``cuda``,
            or ``cuda>=N`` for at least N devices.
        ranks: Processes to start; more than one runs under ``torch.distributed.run``.
        versions: Exact requirements installed into an overlay beside the main environment.
        packages: Distributions without which the step is skipped, such as ``peft``, or
            ``transformers>=5`` where what it shows holds from that release on.
        programs: Programs on the path, such as ``g++``, without which the step is skipped.
        env: Environment variables of the step's process.
        timeout_s: Wall-clock limit in seconds.
        memory_gib: Limit on the resident memory of the whole process tree, in GiB.
        gpu_memory_gib: Free device memory without which the step is skipped, in GiB.
        start: ``cold`` for a fresh interpreter. Otherwise (``auto``) the step may be forked from a
            process that has its imports loaded, in the versions and with the variables it asks for.
        import_first: Module of the recipe that must be imported before any library, such as one
            that simulates a device; the step itself imports it first, too.
        with_dependencies: Install what ``versions`` depend on too, beside the main environment's
            own torch.
        record_once: Why the step is recorded once and not run every time; empty for most steps.
    """

    on: str = "cpu"
    ranks: int = 1
    versions: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 120.0
    memory_gib: float = 4.0
    gpu_memory_gib: float = 0.0
    start: str = "auto"
    import_first: str = ""
    with_dependencies: bool = False
    record_once: str = ""

    def __post_init__(self) -> None:
        """Refuse what could never be met."""
        if not DEVICES.fullmatch(self.on):
            what = _("on={on!r}: write 'any', 'cpu', 'cuda' or 'cuda>=2'")
            raise ValueError(what.format(on=self.on))
        if self.start not in START:
            what = _("start={start!r}: write one of {names}")
            raise ValueError(what.format(start=self.start, names=", ".join(START)))
        inexact = [text for text in self.versions if not all(text.partition("=="))]
        if inexact:
            what = _("versions={text!r}: write NAME==VERSION")
            raise ValueError(what.format(text=inexact[0]))
        if self.with_dependencies and not self.versions:
            raise ValueError(_("with_dependencies=True without versions: name what to install"))


@dataclass(frozen=True, slots=True)
class Step:
    """One function of a recipe that runs in a process of its own.

    Attributes:
        name: The function's name with dashes.
        kind: What it has to show: ``reproduce``, ``detect``, ``fix`` or ``non_fix``.
        needs: Requirements and limits.
        function: The function itself, where the recipe was imported.
        target: Id of the fix or non-fix it executes; empty for the other kinds.
        found: For ``detect``: what the measurement must find.
        control: The failing step that it differs from in one thing.
        file: Name of the recipe's file that holds it.
    """

    name: str
    kind: str
    needs: Needs
    function: StepFunction | None = None
    target: str = ""
    found: bool | None = None
    control: str = ""
    file: str = "recipe.py"


_registry: dict[str, dict[str, Step]] = {}


def steps_of(file: str | Path) -> dict[str, Step]:
    """Return the steps an imported recipe file has registered, in the order of the file."""
    return _registry.get(str(Path(file).resolve()), {})


def step_of(
    kind: str,
    function_name: str,
    target: str = "",
    *,
    found: bool | None = None,
    control: str = "",
    function: StepFunction | None = None,
    **needs: Any,
) -> Step:
    """Build a step from what its decorator was given.

    Args:
        kind: Name of the decorator.
        function_name: Name of the decorated function.
        target: Id of the fix or non-fix.
        found: For ``detect``: what the measurement must find.
        control: The failing step that it differs from in one thing.
        function: The function itself, if it was imported.
        **needs: See `Needs`; distributions to look for are given as ``needs=[...]``.

    Raises:
        TypeError: A keyword is unknown.
        ValueError: An argument that the kind requires is missing.
    """
    if kind in {"fix", "non_fix"} and not target:
        what = _("@{kind} needs the id of what it executes, as its first argument")
        raise ValueError(what.format(kind=kind))
    if kind == "detect" and not isinstance(found, bool):
        raise ValueError(_("@detect needs found=True or found=False"))
    packages = tuple(needs.pop("needs", ()))
    for name in ("versions", "programs"):
        needs[name] = tuple(needs.get(name, ()))
    name = function_name.replace("_", "-")
    return Step(name, kind, Needs(packages=packages, **needs), function, target, found, control)


def _decorator(kind: str, target: str = "", **options: Any) -> Callable[[Decorated], Decorated]:
    def register(function: Decorated) -> Decorated:
        step = step_of(kind, function.__name__, target, function=function, **options)
        file = str(Path(function.__code__.co_filename).resolve())
        _registry.setdefault(file, {})[step.name] = step
        return function

    return register


def reproduce(**needs: Any) -> Callable[[Decorated], Decorated]:
    """Mark a step that must fail, and whose log must be recognised as this entry.

    Args:
        **needs: See `Needs`; distributions to look for are given as ``needs=[...]``.
    """
    return _decorator("reproduce", **needs)


def detect(*, found: bool, control: str = "", **needs: Any) -> Callable[[Decorated], Decorated]:
    """Mark the measurement that tells this failure from its look-alikes.

    Args:
        found: What the returned measure ``found`` must be on this variant.
        control: For ``found=False``: the step that finds it and differs in one thing.
        **needs: See `Needs`.
    """
    return _decorator("detect", found=found, control=control, **needs)


def fix(fix_id: str, *, control: str = "", **needs: Any) -> Callable[[Decorated], Decorated]:
    """Mark a step that must run clean and meet the claims of the fix ``fix_id``.

    Args:
        fix_id: Id under ``fixes`` in entry.yaml.
        control: The failing step that it differs from in the fix alone.
        **needs: See `Needs`.
    """
    return _decorator("fix", fix_id, control=control, **needs)


def non_fix(
    non_fix_id: str, *, control: str = "", **needs: Any
) -> Callable[[Decorated], Decorated]:
    """Mark popular advice that must be seen in force, and seen not to help.

    Args:
        non_fix_id: Id under ``non_fixes`` in entry.yaml.
        control: The failing step that it differs from in the advice alone.
        **needs: See `Needs`.
    """
    return _decorator("non_fix", non_fix_id, control=control, **needs)


def measure(**values: Any) -> None:
    """Record measures at once, so that they survive a crash of the process.

    Args:
        **values: JSON values: numbers, strings, booleans, lists of them, or lists of flat rows. A
            number that is none is recorded as the text ``nan``; that meets no condition on numbers.
    """
    _record("values", values)


def record_skip(reason: str) -> None:
    """Record that the step has called `skip`."""
    _record("skip", reason)


def record_allocation(peak: int, gpus: list[int]) -> None:
    """Record how much memory of which GPUs this process has held, in bytes."""
    _record("allocated", peak)
    _record("gpus", gpus)


def _record(what: str, value: Any) -> None:
    path = os.environ.get(MEASURES_VARIABLE)
    if not path:
        sys.stdout.write(f"{what} {json.dumps(value)}\n")
        return
    rank = os.environ.get("RANK", "0")
    line = json.dumps({"rank": int(rank), what: _finite(value)}, allow_nan=False)
    with Path(path).open("a", encoding="utf-8") as out:
        out.write(line + "\n")


def _finite(value: Any) -> Any:
    """Return a value with ``nan`` and infinities as texts: JSON has no number for them."""
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {name: _finite(one) for name, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
    return value


def main(file: str) -> None:
    """Run the recipe as a command: all its steps, or those named on the command line.

    Args:
        file: The recipe's ``__file__``.
    """
    # The command needs the whole library, which must not be imported beside a step.
    command = [sys.executable, "-m", "fixbook.cli.recipe_file", file, *sys.argv[1:]]
    os.execv(sys.executable, command)  # noqa: S606  (the same interpreter, no shell)
