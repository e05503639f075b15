"""``fixbook env``: what matters of this machine, and what it will fail on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.cli.options import SCHEMA_VERSION, json_option, lang_option
from fixbook.cli.terminal import colours
from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.output import finding_text
from fixbook.config.rules import applicable
from fixbook.exits import DONE, FAILED, UNUSABLE
from fixbook.text import _, ngettext, printable_json

if TYPE_CHECKING:
    from fixbook.config.check import Report
    from fixbook.config.setting import ConfigDocument
    from fixbook.text import Lang


@click.command("env")
@click.option(
    "--from",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Look at a report that --json has printed, here or on another machine.",
)
@lang_option
@json_option
def command(path: Path | None, lang: Lang, *, as_json: bool) -> int:
    """Describe this machine, and name what it will fail on before anything fails.

    Packages with their builds, CUDA of torch against driver and toolkit, GPUs, compilers, memory
    and its limits, disks, network, variables. Nothing is imported or changed; torch is imported in
    a process of its own only where there is a GPU. What does not answer in time is not known.

    Tokens, names of hosts and users, addresses and folders are left out; read it before you send
    it. Run it with the Python that trains, in the job that fails.

    \b
    Exit codes:
      0  nothing known to fail was found; there may be notes
      1  an error or a warning was found
      2  the file is no report, or could not be read
    """  # noqa: D301
    from fixbook.machine.document import document_of, plain, read_report

    if path is None:
        from fixbook.machine.report import report

        document = document_of(report())
    else:
        try:
            document = read_report(path)
        except ConfigError as error:
            click.echo(error.as_text(lang), err=True)
            return UNUSABLE
    found = check([document])
    if as_json:
        listed = [{**item.as_json(), "file": None} for item in found.findings]
        # Below the report, so that the lines of findings are the same when it is read again.
        data = {**plain(document), "schema_version": SCHEMA_VERSION, "findings": listed}
        click.echo(printable_json(data))
    else:
        _print(document, found, lang)
    return FAILED if any(item.severity != "note" for item in found.findings) else DONE


def _print(document: ConfigDocument, found: Report, lang: Lang) -> None:
    from fixbook.cli.env_lines import WIDTH, lines_of
    from fixbook.cli.wrapping import wrap

    (section,) = document.sections
    for line in lines_of({key: one.value for key, one in section.settings.items()}):
        click.echo(line)
    for finding in found.findings:
        click.echo("")
        for line in finding_text(finding, lang, colour=colours()).splitlines():
            indent = line[: len(line) - len(line.lstrip())]
            click.echo(wrap(line, WIDTH, indent, f"{indent}  "))
    rules = len(applicable(section.schema))
    count = len(found.findings)
    many = ngettext("{count} finding", "{count} findings", count).format(count=count)
    said = many if count else _("nothing known to fail was found")
    blind = _("other machines of the job, what the job itself sets, the hardware's health")
    click.echo("", err=True)
    click.echo(
        _("{said} ({rules} rules; what this cannot see: {blind})").format(
            said=said, rules=rules, blind=blind
        ),
        err=True,
    )
