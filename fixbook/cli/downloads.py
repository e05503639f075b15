"""Before other releases are installed: say which, and how much that is, and ask."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fixbook.book_root import book_root
from fixbook.cli.wrapping import wrap
from fixbook.files import cache_folder
from fixbook.recipe.running import has_overlay, missing_releases, sizes
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.recipe.author import Step
    from fixbook.trial.stage import Stage

_MIB = 1024**2
_WIDTH = 100


def absent(steps: Iterable[Step]) -> list[str]:
    """Return the releases that some steps ask for and that have never been installed for them."""
    asked = (step.needs.versions for step in steps if not has_overlay(step.needs.versions))
    return sorted({pin for versions in asked for pin in missing_releases(versions)})


def amount(pins: Iterable[str]) -> str:
    """Say how much is downloaded for some releases; what is not known is said, too."""
    known, pins = sizes(book_root()), list(pins)
    total = sum(known.get(pin, 0) for pin in pins) / _MIB
    said = _("{mib:,.0f} MiB").format(mib=total)
    unknown = sum(pin not in known for pin in pins)
    more = _("{size} and {count} of unknown size")
    return more.format(size=said, count=unknown) if unknown else said


def agreed(stage: Stage, *, yes: bool) -> None:
    """Ask whether to install what the steps need; it lies beside the reader's environment.

    Args:
        stage: The steps.
        yes: It was said on the command line.

    Raises:
        click.ClickException: There is nobody to ask.
        click.Abort: The answer is no.
    """
    pins = absent(stage.run)
    if not pins:
        return
    said = _(
        "{count} releases, {size} to download, go to {folder}; your environment stays as it is:"
    )
    folder = cache_folder() / "overlays"
    click.echo(said.format(count=len(pins), size=amount(pins), folder=folder), err=True)
    click.echo(wrap(", ".join(pins), _WIDTH, "  ", "  "), err=True)
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.ClickException(_("nobody can be asked here: add --yes to install them"))
    click.confirm(_("Install them?"), abort=True, err=True)
