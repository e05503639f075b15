"""``fixbook fit``: whether a training run fits on a card, predicted without one."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.cli.options import json_option, lang_option
from fixbook.exits import DONE, FAILED, NOTHING_RAN
from fixbook.text import _, printable, printable_json

if TYPE_CHECKING:
    from fixbook.fit.plan import Plan
    from fixbook.fit.reading import Reading
    from fixbook.text import Lang

_NEEDED = ("torch", "transformers", "peft")


@click.command("fit")
@click.argument("path", type=click.Path(path_type=Path), metavar="CONFIG")
@click.option(
    "--gpu",
    "gib",
    required=True,
    type=click.FloatRange(1, 10_000),
    metavar="GIB",
    help="Memory of the card in GiB, as nvidia-smi says it: about 79 for one sold as 80 GB.",
)
@click.option("--model", metavar="PATH", help="Folder of the model, or its config.json.")
@click.option("--length", type=click.IntRange(1, 2**24), help="Tokens of the longest sequence.")
@click.option("--batch", type=click.IntRange(1, 2**16), help="Sequences a step on this card.")
@click.option("--tool", metavar="TOOL[@VERSION]", default="", help="What CONFIG is for.")
@click.option("--pairs", is_flag=True, help="Try each two changes together as well.")
@lang_option
@json_option
def command(
    path: Path,
    gib: float,
    model: str | None,
    length: int | None,
    batch: int | None,
    tool: str,
    *,
    pairs: bool,
    lang: Lang,
    as_json: bool,
) -> int:
    """Predict the peak memory of the training that CONFIG describes, on one card.

    CONFIG is for axolotl, LLaMA-Factory, TRL, transformers or ms-swift. The model's own code runs
    on tensors without data, so no card and no weights are needed; its config.json has to be on this
    machine. The answer says what takes the memory, in which phase, and what each change would come
    to.

    \b
    Exit codes:
      0  it fits
      1  it does not, or it is too close to tell
      2  CONFIG cannot be read
      3  it cannot be told; the reason is printed
    """  # noqa: D301
    absent = [name for name in _NEEDED if find_spec(name) is None]
    if absent:
        said = _("needs {names} where fixbook runs").format(names=", ".join(absent))
        raise click.ClickException(said)
    from fixbook.config.errors import ConfigError
    from fixbook.fit.estimate import estimate
    from fixbook.fit.reading import CannotTellError

    try:
        reading, plan = _plan(path, model, tool, batch, length)
        found = estimate(reading, plan, gib, with_pairs=pairs, watch=_progress)
    except ConfigError as error:
        raise click.UsageError(error.as_text(lang)) from None
    except CannotTellError as error:
        click.echo(_("cannot tell: {why}").format(why=printable(error.why.of(lang))), err=True)
        if error.mend:
            click.echo("  " + printable(error.mend.of(lang)), err=True)
        return NOTHING_RAN
    from fixbook.fit import output

    if as_json:
        click.echo(printable_json(output.as_json(found)))
    else:
        click.echo("\n".join(output.as_text(found, lang)))
    return DONE if found.verdict == "fits" else FAILED


def _plan(
    path: Path, model: str | None, tool: str, batch: int | None, length: int | None
) -> tuple[Reading, Plan]:
    from fixbook.config.pins import pin
    from fixbook.config.read import read_file
    from fixbook.fit.architecture import architecture
    from fixbook.fit.estimate import plan_of
    from fixbook.fit.tools import read

    name, _at, version = tool.partition("@")
    document = read_file(path, name, version or None)
    pin(document)
    reading = read(document, length=length)
    reading.model = model or reading.model
    return reading, plan_of(reading, architecture(reading.model, path), batch, length)


def _progress(done: int, count: int) -> None:
    """Say on a terminal how many changes were tried: on deep models each takes seconds."""
    if sys.stderr.isatty():
        end = "\r\033[K" if done == count else ""
        click.echo(f"\r{done}/{count}{end}", nl=False, err=True)
