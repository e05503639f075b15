"""A folder that a run writes into step by step, to be carried to the book afterwards."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from fixbook.cli.recording import unchanged, write
from fixbook.environment import machine
from fixbook.files import write_atomically
from fixbook.problem import BookError, Problem
from fixbook.recipe.record import machine_record, versions_of
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.cli.plan import Planned
    from fixbook.recipe.record import StepResult


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
        self._here = machine_record(machine(), machine_name)
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
        log = self._folder / "failures" / result.slug / f"{name}.log"
        if result.verdict.status == "failed":
            log.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(log, _failure(result))
            return
        log.unlink(missing_ok=True)
        if not self._rehearsal and unchanged(planned, name):
            write(planned, [result], self._here)

    def kept(self) -> str:
        """Say what is left of a run that was cut off."""
        return _("what ended before is in {folder}").format(folder=self._folder)

    def finish(self, planned: Iterable[Planned], results: Iterable[StepResult]) -> None:
        """Write the summary, and say where: the machine, the versions found, one line per step.

        Args:
            planned: The entries of the run.
            results: What their steps showed.
        """
        here = self._here
        versions: dict[str, str] = {}
        for one in planned:
            versions |= versions_of(one.outline)
        found = [f"{gpu.name}, {gpu.memory_gib:g} GiB, driver {gpu.driver}" for gpu in here.gpus]
        lines = [
            f"{here.name}: {here.cpu}, {here.cores} cores, {here.os}, Python {here.python}",
            *(found or ["no GPU"]),
            ", ".join(f"{name} {version}" for name, version in sorted(versions.items())),
            "",
            *sorted(_line(result) for result in results),
        ]
        path = self._folder / "summary.txt"
        write_atomically(path, "\n".join(lines) + "\n")
        click.echo(_("summary: {path}").format(path=path), err=True)


def _line(result: StepResult) -> str:
    verdict = result.verdict
    return f"{verdict.status:7}  {result.slug}/{result.step.name}: {verdict.reason}"


def _failure(result: StepResult) -> str:
    measures = [f"{name} = {value!r}" for name, value in result.measures.items()]
    ended = [str(result.outcome)] if result.outcome else []
    return "\n".join([result.verdict.reason, *ended, *measures, "", result.log])
