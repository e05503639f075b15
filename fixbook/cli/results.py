"""A folder that a run writes into step by step, to be carried to the book afterwards."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

import click

from fixbook.cli.recording import machine_of, unchanged, write
from fixbook.environment import machine
from fixbook.files import write_atomically
from fixbook.problem import BookError, Problem
from fixbook.recipe.record import machine_record, versions_of
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.cli.plan import Planned
    from fixbook.recipe.record import MachineRecord, StepResult


MOST_TRIES = 2


class Results:
    """Evidence under ``recipes/``, as in the book; logs under ``failures/``; ``summary.txt``.

    Args:
        folder: The folder; it is made if it is not there.
        machine_name: Name of the evidence files; by default ``cpu`` or the GPU's model.
        rehearsal: Record no evidence: rehearsed steps have shown nothing.

    Raises:
        BookError: The folder cannot be written to.
    """

    def __init__(self, folder: Path, machine_name: str | None, *, rehearsal: bool) -> None:
        self._folder = folder
        self._name = machine_name
        self._rehearsal = rehearsal
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / "summary.txt", "not finished\n")
        except OSError as error:
            what = _("cannot be written to: {reason}").format(reason=error.strerror)
            raise BookError([Problem(str(folder), what, _("name another folder"))]) from None

    def holds(self, item: BookEntry) -> BookEntry:
        """Return an entry whose new evidence goes here."""
        place = self._folder / "recipes" / item.slug / "evidence"
        return dataclasses.replace(item, results=place)

    def add(self, planned: Planned, result: StepResult) -> None:
        """Write down one result: evidence if the step held, its whole log if it failed.

        Args:
            planned: The entry; a step of it that has changed during the run is not recorded.
            result: The result.
        """
        name = result.step.name
        logs = self._failures(result.slug, name)
        if result.verdict.status == "failed":
            log = self._folder / "failures" / result.slug / f"{name}.{len(logs) + 1}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(log, _failure(result))
            return
        if result.verdict.status == "passed":
            for log in logs:
                log.unlink()
        if not self._rehearsal and unchanged(planned, name):
            write(planned, [result], machine_of(result, self._name))

    def tried_enough(self, slug: str, name: str) -> bool:
        """Tell whether a step has failed so often here that another try would cost others."""
        return len(self._failures(slug, name)) >= MOST_TRIES

    def _failures(self, slug: str, name: str) -> list[Path]:
        folder = self._folder / "failures" / slug
        paths = (folder / f"{name}.{number}.log" for number in range(1, MOST_TRIES + 1))
        return [path for path in paths if path.is_file()]

    def kept(self) -> str:
        """Say what is left of a run that was cut off."""
        return _("what ended before is in {folder}").format(folder=self._folder)

    def finish(self, planned: Iterable[Planned], results: Iterable[StepResult]) -> None:
        """Write the summary, and say where: the machine, the versions found, one line per step.

        Args:
            planned: The entries of the run.
            results: What their steps showed.
        """
        results = list(results)
        ran_on = [machine_of(result, self._name) for result in results]
        machines = {str(one): one for one in ran_on or [machine_record(machine(), self._name)]}
        versions: dict[str, str] = {}
        for one in planned:
            versions |= versions_of(one.outline)
        lines = [
            *(line for one in machines.values() for line in _of_machine(one)),
            ", ".join(f"{name} {version}" for name, version in sorted(versions.items())),
            "",
            *_table(results),
            "",
            *sorted(_line(result) for result in results),
        ]
        path = self._folder / "summary.txt"
        write_atomically(path, "\n".join(lines) + "\n")
        click.echo(_("summary: {path}").format(path=path), err=True)


def _of_machine(machine: MachineRecord) -> list[str]:
    first = f"{machine.name}: {machine.cpu}, {machine.cores} cores, {machine.os}"
    cards = [f"{gpu.name}, {gpu.memory_gib:g} GiB, driver {gpu.driver}" for gpu in machine.gpus]
    return [f"{first}, Python {machine.python}", *(cards or ["no GPU"])]


def _line(result: StepResult) -> str:
    verdict = result.verdict
    return f"{verdict.status:7}  {result.slug}/{result.step.name}: {verdict.reason}"


def _table(results: Iterable[StepResult]) -> Iterator[str]:
    """Yield a line an entry: how many of its steps passed, failed and did not run."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.slug, Counter())[result.verdict.status] += 1
    yield f"{'passed':>6} {'failed':>6} {'not run':>7}"
    for slug, of in sorted(counts.items()):
        yield f"{of['passed']:6} {of['failed']:6} {of['skipped']:7}  {slug}"


def _failure(result: StepResult) -> str:
    measures = [f"{name} = {value!r}" for name, value in result.measures.items()]
    ended = [str(result.outcome)] if result.outcome else []
    return "\n".join([result.verdict.reason, *ended, *measures, "", result.log])
