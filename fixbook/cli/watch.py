"""``fixbook watch``: run a command as it is, and explain how it ended."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.cli.options import lang_option
from fixbook.exits import DONE, UNUSABLE
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.text import Lang
    from fixbook.watch.run import Run

_MIB = 1024 * 1024


@click.command(
    "watch", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep what it prints there; by default in a folder of its own among your state.",
)
@click.option(
    "--keep",
    type=click.IntRange(1, 4096),
    default=32,
    show_default=True,
    help="Most MiB kept of each stream: its beginning and its end.",
)
@click.option(
    "--hook",
    is_flag=True,
    help="Load a hook into its Python processes: stacks without the right to trace, and recorders.",
)
@click.option("--no-variables", is_flag=True, help="Set no variable for the command.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing as long as nothing fails.")
@click.option(
    "--every",
    type=click.FloatRange(0.05, 3600),
    default=5.0,
    show_default=True,
    help="Seconds between two looks at its processes.",
)
@click.option(
    "--stall-after",
    type=click.FloatRange(0, 10**6),
    default=120.0,
    show_default=True,
    help="Seconds of silence after which it may hang; 0 never asks.",
)
@click.option(
    "--stall-factor",
    type=click.FloatRange(0, 10**6),
    default=20.0,
    show_default=True,
    help="And so many times its longest silence so far.",
)
@click.option(
    "--on-stall",
    default="notify",
    show_default=True,
    metavar="notify|report|terminate|COMMAND",
    help="What to do when it hangs: say it, only keep it, end the run, or start a command.",
)
@click.option(
    "--report", is_flag=True, help="Pack what was seen of a run, redacted; start nothing."
)
@lang_option
def command(
    words: tuple[str, ...],
    folder: Path | None,
    keep: int,
    every: float,
    stall_after: float,
    stall_factor: float,
    on_stall: str,
    lang: Lang,
    *,
    hook: bool,
    no_variables: bool,
    quiet: bool,
    report: bool,
) -> int:
    """Run COMMAND as it is, and explain it if it fails.

    Its output, input, signals and exit code are those it has without.
    """
    if not sys.platform.startswith("linux"):
        click.echo(_("fixbook watch needs Linux"), err=True)
        return UNUSABLE
    if report:
        return _report(folder)
    if not words:
        raise click.UsageError(_("name a command: fixbook watch -- python train.py"))
    from fixbook.cli.watch_eyes import Eyes
    from fixbook.watch import folder as folders
    from fixbook.watch.command import StartError, end_as
    from fixbook.watch.hooked import variables as hooked
    from fixbook.watch.ranks import given
    from fixbook.watch.run import Wish, variables_for, watch
    from fixbook.watch.stall import Patience

    kept = folders.new(folder, given(os.environ))
    variables = variables_for(kept, wanted=not no_variables)
    variables |= hooked(kept) if hook and kept else {}
    wish = Wish(words, kept, variables, every, keep * _MIB)
    eyes = Eyes(lang, Patience(stall_after, stall_factor), on_stall, quiet=quiet)

    def started(run: Run) -> None:
        if not quiet:
            _say_start(run)
        eyes.open(run)

    try:
        run = watch(wish, eyes.look, started)
    except StartError as error:
        click.echo(f"fixbook watch: {words[0]}: {error}", err=True)
        return error.code
    eyes.end(run)
    return end_as(run.status or 0)


def _report(folder: Path | None) -> int:
    from fixbook.watch import folder as folders
    from fixbook.watch.archive import pack

    seen = folder or folders.latest()
    target = Path(f"fixbook-watch-{seen.name}.tar.gz")
    for name in pack(seen, target):
        click.echo(f"  {name}")
    click.echo(_("{file}: read it before you send it; nothing is sent").format(file=target))
    return DONE


def _say_start(run: Run) -> None:
    where = run.wish.folder or _("nowhere: the disk is full or cannot be written")
    said = _("kept in {where}").format(where=where)
    for name, value in run.wish.variables.items():
        said += "; " + _("sets {name}={value}").format(name=name, value=value)
    click.echo(f"fixbook watch: {said}", err=True)
