"""``fixbook run SLUG``: show an entry on the reader's machine, with the versions that are there."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.book_root import book_root
from fixbook.cli.options import device_option, json_option, lang_option
from fixbook.exits import DONE
from fixbook.recipe.running import begun_early
from fixbook.unknown import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.running import WarmParents
    from fixbook.text import Lang


@dataclass(frozen=True, slots=True)
class Options:
    """What ``fixbook run`` and ``python recipe.py`` are asked for; see the help of each option."""

    names: tuple[str, ...]
    on: str | None
    everything: bool
    yes: bool
    versions: str | None
    cold: bool
    shown: str | None
    logs: bool
    record: Path | None
    lang: Lang
    as_json: bool

    @property
    def begins_early(self) -> bool:
        """Whether the recipe alone tells which step runs first."""
        chosen = self.names or self.on or self.versions or self.everything
        return not (chosen or self.cold or self.shown)


_OPTIONS = (
    click.option(
        "--step",
        "names",
        multiple=True,
        metavar="STEP",
        help="Only this, or the steps of this fix; repeatable.",
    ),
    device_option,
    click.option(
        "--all",
        "everything",
        is_flag=True,
        help="Also what needs other releases than yours; says first what would be installed.",
    ),
    click.option("--yes", is_flag=True, help="With --all: install without asking."),
    click.option(
        "--versions",
        metavar="NAME==VERSION,...",
        help="Run on these releases, installed beside your environment.",
    ),
    click.option("--cold", is_flag=True, help="Start every step as a fresh interpreter."),
    click.option(
        "--show",
        "shown",
        metavar="STEP",
        help="Run nothing: print the code of a step, and what it changes.",
    ),
    click.option("--log", "logs", is_flag=True, help="Print what each step printed."),
    click.option(
        "--record-to",
        "record",
        metavar="FILE",
        type=click.Path(dir_okay=False, writable=True, path_type=Path),
        help="Write what held, redacted, into a file that you may send; nothing is sent.",
    ),
    lang_option,
    json_option,
)


def run_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of ``fixbook run``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("run")
@click.argument("slug")
@run_options
def command(slug: str, **given: Any) -> int:
    """Show entry SLUG here: the failure, how to notice it, what helps, what does not.

    Runs on the versions that are installed, and installs nothing. Every step has a process of its
    own, forked from one that has done the imports.

    \b
    Exit codes:
      0  all that was run is as on the page
      1  something is not: a fix that does not help, advice that does, a measure
      3  nothing could be run here; the reason is printed
      6  the failure does not happen here
      7  another error stopped a step: nothing is known of it here
    """  # noqa: D301
    root, options = book_root(), Options(**given)
    refuse_unknown(root, slug, messages=False)
    folder = root / "recipes" / slug
    # What follows takes the other core for as long as small imports take this one.
    with begun_early(folder) if options.begins_early else nullcontext() as parents:
        from fixbook.book import load_entry
        from fixbook.index.cache import index_rows
        from fixbook.log.signatures import index_from

        return run_entry(load_entry(folder), lambda: index_from(index_rows(root)), options, parents)


def run_entry(
    item: BookEntry,
    index: Callable[[], Index],
    options: Options,
    parents: WarmParents | None = None,
) -> int:
    """Run steps of one entry, and say what they show.

    Args:
        item: The entry.
        index: Compiles the signatures, which nothing needs that runs no step.
        options: What was asked for.
        parents: What has begun with imports already, if anything has.

    Returns:
        The exit code.
    """
    from fixbook.cli.demonstration import demonstrate
    from fixbook.cli.downloads import agreed
    from fixbook.cli.step_code import step_code
    from fixbook.trial.stage import stage_of

    stage = stage_of(
        item,
        options.names,
        on=options.on,
        versions=options.versions,
        everything=options.everything,
    )
    if options.shown:
        click.echo(step_code(stage, options.shown, options.lang))
        return DONE
    if options.everything:
        agreed(stage, yes=options.yes)
    return demonstrate(stage, index, options, parents)


__all__ = ["Options", "command", "run_entry", "run_options"]
