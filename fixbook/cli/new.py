"""``fixbook new SLUG``: a scaffold that the gates accept once it is filled in."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.book import SLUG
from fixbook.book_root import checkout
from fixbook.cli.scaffold_text import scaffold
from fixbook.exits import DONE
from fixbook.files import write_atomically
from fixbook.gates.proof import read_list
from fixbook.gates.slugs import SLUGS
from fixbook.text import N_, _

if TYPE_CHECKING:
    from fixbook.log.proposal import Proposal

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("new")
@click.argument("slug")
@click.option(
    "--log",
    type=_FILE,
    help=N_("A log of the failure: signature, first log, queries and projects come from it."),
)
@click.option(
    "--report",
    type=_FILE,
    help=N_("The same from a report, as --report printed it or as an issue shows it."),
)
@click.option(
    "--from-cluster",
    "cluster",
    type=_FILE,
    help=N_("The same from what 'fixbook triage' writes as clusters/ID.json."),
)
@click.option(
    "--rule",
    "tool",
    metavar="TOOL",
    help=N_("Begin a rule on configurations of TOOL instead, called SLUG, under rules/."),
)
def command(
    slug: str, log: Path | None, report: Path | None, cluster: Path | None, tool: str | None
) -> int:
    """Scaffold the entry SLUG under recipes/, complete but for its contents."""
    logs = sum(map(bool, (log, report, cluster)))
    if logs > 1:
        raise click.UsageError(_("--log, --report and --from-cluster are ways to give one log"))
    if tool is not None and logs:
        raise click.UsageError(_("a rule begins with its tool: leave out the log"))
    root = checkout()
    folder = root / "recipes" / slug
    if not SLUG.fullmatch(slug):
        message = _(
            "{slug!r} is not a slug: lower-case words joined by dashes, such as 'bad-offsets'"
        )
        raise click.BadParameter(message.format(slug=slug), param_hint="SLUG")
    if tool is not None:
        from fixbook.cli.new_rule import write_rule

        write_rule(root, tool, slug)
        return DONE
    if folder.exists():
        raise click.ClickException(
            _("{folder} exists already; nothing was written").format(folder=folder)
        )
    slugs = read_list(root / SLUGS)
    if slug in slugs:
        raise click.ClickException(
            _("{slug!r} was used before; addresses are never reused").format(slug=slug)
        )
    path = log or report or cluster
    read = _log_of_report if report else _log_of_cluster if cluster else _text
    proposed = _proposed(root, path, read(path)) if path else None
    texts = scaffold(slug, dt.datetime.now(dt.UTC).date().isoformat(), proposed)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    comment = "# Every slug ever published, sorted; an address is never reused.\n"
    write_atomically(
        root / SLUGS, comment + "".join(f"{name}\n" for name in sorted([*slugs, slug]))
    )
    _say(slug, list(texts), proposed)
    return DONE


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _log_of_report(path: Path) -> str:
    from fixbook.log.report import log_in, sections

    text = _text(path)
    said = json.loads(text)["body"] if text.lstrip().startswith("{") else text
    return log_in(sections(said).get("log", ""))


def _log_of_cluster(path: Path) -> str:
    try:
        told = json.loads(_text(path))
    except ValueError:
        told = None
    excerpt = told.get("excerpt") if isinstance(told, dict) else None
    if not isinstance(excerpt, str):
        message = _("{path}: holds no excerpt; name a clusters/ID.json of a triage with texts")
        raise click.ClickException(message.format(path=path))
    return excerpt


def _proposed(root: Path, path: Path, text: str) -> Proposal:
    from fixbook.index.cache import index_rows
    from fixbook.log.finder import Finder
    from fixbook.log.proposal import proposal_of
    from fixbook.machine.report import names_hidden

    proposed = proposal_of(text, Finder(index_rows(root)).index, names_hidden())
    if proposed is None:
        raise click.ClickException(
            _("{path}: no line reads like a failure; give the part of the log that holds it")
            .format(path=path)
        )  # fmt: skip
    return proposed


def _say(slug: str, names: list[str], proposed: Proposal | None) -> None:
    written = ", ".join(f"recipes/{slug}/{name}" for name in names)
    said = _("wrote {count} files: {files}; added a line to {slugs}")
    click.echo(said.format(count=len(names), files=written, slugs=SLUGS))
    if proposed:
        click.echo(_("from the log: {line}").format(line=proposed.line))
        click.echo(_("read logs/first.txt before you publish it: it is redacted by patterns alone"))
        if proposed.known:
            said = _("the book answers this log already: {known}; is yours another cause?")
            click.echo(said.format(known=proposed.known))
    click.echo(_("next: fill them in, then"))
    click.echo(f"    fixbook verify {slug}   " + _("until every step shows what you claim"))
    click.echo(f"    fixbook prove {slug}    " + _("everything that must hold, and its evidence"))
