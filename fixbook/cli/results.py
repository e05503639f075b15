"""A folder that a run writes into step by step, to be carried to the book afterwards."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.files import write_atomically
from fixbook.problem import BookError, Problem
from fixbook.recipe.digest import digests_of
from fixbook.recipe.evidence import load_evidence, machine_record, merge, record, versions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.recipe.outline import Outline
    from fixbook.recipe.result import StepResult


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
            what = f"cannot be written to: {error.strerror}"
            raise BookError([Problem(str(folder), what, "name another folder")]) from None

    def holds(self, item: BookEntry) -> BookEntry:
        """Return an entry whose new evidence goes here."""
        place = self._folder / "recipes" / item.slug / "evidence"
        return dataclasses.replace(item, results=place)

    def add(
        self, item: BookEntry, outline: Outline, result: StepResult, digests: Mapping[str, str]
    ) -> None:
        """Write down one result: evidence if the step held, its whole log if it failed.

        Args:
            item: The entry.
            outline: Its recipe.
            result: The result.
            digests: Digest of every step before the run; a step that has changed is not recorded.
        """
        name = result.step.name
        log = self._folder / "failures" / item.slug / f"{name}.log"
        if result.verdict.status == "failed":
            log.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(log, _failure(result))
            return
        log.unlink(missing_ok=True)
        if self._rehearsal or digests_of(item, outline)[name] != digests[name]:
            return
        previous = load_evidence(item).get(self._here.name)
        now = dt.datetime.now(dt.UTC)
        record(item, merge(previous, item, outline, [result], self._here, now))

    def finish(self, results: Iterable[StepResult], outlines: Iterable[Outline]) -> Path:
        """Write the summary: the machine, the versions found, one line per step.

        Args:
            results: Of this run.
            outlines: The recipes of it.

        Returns:
            The file.
        """
        here = self._here
        versions: dict[str, str] = {}
        for outline in outlines:
            versions |= versions_of(outline)
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
        return path


def _line(result: StepResult) -> str:
    verdict = result.verdict
    return f"{verdict.status:7}  {result.slug}/{result.step.name}: {verdict.reason}"


def _failure(result: StepResult) -> str:
    measures = [f"{name} = {value!r}" for name, value in result.measures.items()]
    ended = [str(result.outcome)] if result.outcome else []
    return "\n".join([result.verdict.reason, *ended, *measures, "", result.log])
