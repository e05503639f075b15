"""Run the steps of an entry for a reader, and tell it in the order of an article."""

from __future__ import annotations

import datetime as dt
from contextlib import nullcontext
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.cli.environments import environments, outside_lines
from fixbook.cli.left_out import left_out, not_applicable
from fixbook.cli.run_summary import summary
from fixbook.cli.terminal import rewritten
from fixbook.cli.transcript import SECTION_TITLES, WIDTH, Transcript
from fixbook.cli.wrapping import wrap
from fixbook.environment import machine
from fixbook.recipe.record import machine_record, observations, record_of, write_record
from fixbook.recipe.running import (
    Job,
    begun,
    expected_seconds,
    run_jobs,
    unhindered_seconds,
    usable_cores,
)
from fixbook.text import _, ngettext, printable_json
from fixbook.trial.bounds import bounded
from fixbook.trial.data import run_row
from fixbook.trial.outcome import SET_ASIDE, exit_code
from fixbook.trial.stage import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from fixbook.cli.run import Options
    from fixbook.log.signatures import Index
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import Observation, StepResult
    from fixbook.recipe.running import WarmParents
    from fixbook.trial.stage import Stage

    Seen = tuple[StepResult, Observation]

_LONG_S = 15.0
_IMPORTS_S = 5
_MINUTE_S = 60


def demonstrate(
    stage: Stage,
    index: Callable[[], Index],
    options: Options,
    parents: WarmParents | None = None,
) -> int:
    """Run what can be run here, and print what it shows.

    Args:
        stage: The entry and its steps.
        index: Compiles the signatures.
        options: What was asked for.
        parents: What has begun with imports already, if anything has.

    Returns:
        The exit code.
    """
    jobs = [Job(stage.item, step) for step in stage.run]
    with nullcontext() if options.cold else begun(for_a_reader(jobs), parents) as kept:
        if not options.as_json:
            _print_head(stage, jobs, options)
        ran = run_jobs(
            jobs, index(), Event(), warm=not options.cold, order=for_a_reader, parents=kept
        )
        seen = observations((result for _job, result in ran), stage.item)
        results = bounded(stage, seen)
        if options.as_json:
            every = {result.step.name: (result, seen) for result, seen in results}
            print_json(stage, every)
        else:
            every = _told(stage, results, options)
            _print_end(stage, every, options)
    if options.record:
        _record(stage, (result for result, _seen in every.values()), options.record)
    return exit_code([shown for _result, shown in every.values()])


def _record(stage: Stage, results: Iterable[StepResult], path: Path) -> None:
    here, now = machine_record(machine()), dt.datetime.now(dt.UTC)
    record = record_of(stage.item, stage.outline, results, here, now)
    write_record(path, record)
    said = _("what held is in {path}, without names of users and hosts; read it before you send it")
    click.echo(said.format(path=path), err=True)


def for_a_reader(jobs: Iterable[Job]) -> list[Job]:
    """Order jobs as they are told, but what takes long begins right after the first."""
    jobs = list(jobs)
    seconds = expected_seconds(jobs)
    jobs.sort(key=lambda job: SECTIONS.index(job.step.kind))
    first, rest = jobs[:1], jobs[1:]
    return first + sorted(rest, key=lambda job: -max(_LONG_S, seconds[job.key]))


def _print_head(stage: Stage, jobs: Sequence[Job], options: Options) -> None:
    click.echo(click.style(stage.item.entry.title.of(options.lang), bold=True))
    for line in (*environments(stage), *outside_lines(stage, options.lang)):
        click.echo(line)
    click.echo(_extent(stage, jobs))


def _extent(stage: Stage, jobs: Sequence[Job]) -> str:
    """Say how much of an entry runs here, how long that takes, and what it does to the machine."""
    ready = stage.ready()
    every = len(stage.run) + len(stage.other)
    if not ready:
        return ngettext(
            "Its only step cannot run here; nothing is installed or sent.",
            "None of its {all} steps can run here; nothing is installed or sent.",
            every,
        ).format(all=every)
    said = _("{run} of {all} steps run on your versions, in about {time}; {installed}.")
    if stage.pins():
        said = _("{run} of {all} steps run, in about {time}; {installed}.")
        installed = _("other releases are installed beside yours, nothing is sent")
    else:
        installed = _("nothing is installed or sent")
    time = _duration([job for job in jobs if job.step in ready])
    return said.format(run=len(ready), all=every, time=time, installed=installed)


def _duration(jobs: Sequence[Job]) -> str:
    """Say about how long some steps take here, from how long they took where they were recorded."""
    seconds = unhindered_seconds(jobs)
    work = sum(seconds[job.key] * job.cores for job in jobs) / usable_cores()
    whole = max(work, *seconds.values()) + _IMPORTS_S
    if whole > 1.5 * _MINUTE_S:
        return _("{n} min").format(n=round(whole / _MINUTE_S))
    return _("{n} s").format(n=5 * max(1, round(whole / 5)))


def _told(stage: Stage, results: Iterable[Seen], options: Options) -> dict[str, Seen]:
    """Print each result as soon as all that stand before it have been printed."""
    transcript = Transcript(stage, options.lang, logs=options.logs)
    every: dict[str, Seen] = {}
    waiting = list(stage.run)
    heading = _Headings(transcript)
    for result, seen in results:
        every[result.step.name] = (result, seen)
        _progress(len(every), len(stage.run))
        while waiting and waiting[0].name in every:
            step = waiting.pop(0)
            found, shown = every[step.name]
            if shown.shows in SET_ASIDE:
                continue  # stands at the end, with the reason
            control = every.get(step.control)
            _progress()
            lines = [*heading.before(step), *transcript.step(found, shown, control and control[0])]
            click.echo("\n".join(lines))
        _progress(len(every), len(stage.run))
    _progress()
    if transcript.stand_ins:
        click.echo(_("Stand-ins: not real here"))
    for text, number in transcript.stand_ins.items():
        click.echo(wrap(f"◇{number} {text}", WIDTH, "  ", "     "))
    return every


class _Headings:
    """Says what stands above a step: its section, and the fix or advice that it is a case of."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._kind = self._target = ""

    def before(self, step: Step) -> Iterator[str]:
        """Yield the lines above a step."""
        if step.kind != self._kind:
            yield click.style(_(SECTION_TITLES[step.kind]), bold=True)
        advice = self._transcript.advice(step)
        # Of an advice whose first case bears its title, that line is the heading.
        if advice and (step.target, step.kind) != (self._target, self._kind):
            yield wrap(advice, WIDTH, "  ", "  ")
        self._kind, self._target = step.kind, step.target


def _progress(done: int = 0, count: int = 0) -> None:
    """Say on a terminal how far it is; the next line takes the place of this one."""
    if rewritten():
        said = _("  … {done} of {count} steps").format(done=done, count=count)
        click.echo(f"\r\x1b[K{said if done < count else ''}", nl=False, err=True)


def _print_end(stage: Stage, every: dict[str, Seen], options: Options) -> None:
    parts = {
        _("Not applicable"): not_applicable(every.values(), options.lang),
        _("Left out"): left_out(stage, every.values(), options.lang),
    }
    for title, lines in parts.items():
        for number, line in enumerate(lines):
            if number == 0:
                click.echo(click.style(title, bold=True))
            click.echo(wrap(f"– {line}", WIDTH, "  ", "    "))
    click.echo("")
    click.echo(wrap(summary(list(every.values()), len(stage.other)), WIDTH))
    shown = next((step.name for step in stage.run if step.kind == "fix"), None)
    if shown:
        said = _("Code of a step: {command}")
        program = click.get_current_context().command_path
        slug = f" {stage.item.slug}" if program == "fixbook run" else ""
        command = f"{program}{slug} --show {shown}"
        click.echo(said.format(command=command))


def print_json(stage: Stage, every: dict[str, Seen]) -> None:
    """Print a run as data."""
    click.echo(printable_json(run_row(stage, every)))
