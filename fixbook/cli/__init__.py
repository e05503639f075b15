"""The command ``fixbook``: one module per subcommand, imported when it is used."""

from __future__ import annotations

import importlib
import io
import signal
import sys
from pathlib import Path
from typing import Any

import click

from fixbook import __version__
from fixbook.cli.terminal import plain_asked
from fixbook.cli.translated import first_paragraph, translated
from fixbook.exits import INTERRUPTED
from fixbook.text import _, choose, language_of, printable

COMMANDS = {
    "diagnose": "fixbook.cli.diagnose",
    "watch": "fixbook.cli.watch",
    "triage": "fixbook.cli.triage",
    "search": "fixbook.cli.search",
    "list": "fixbook.cli.list_entries",
    "show": "fixbook.cli.show",
    "explain": "fixbook.cli.show",
    "run": "fixbook.cli.run",
    "verify": "fixbook.cli.verify",
    "adopt": "fixbook.cli.adopt",
    "bundle": "fixbook.cli.bundle",
    "new": "fixbook.cli.new",
    "prove": "fixbook.cli.prove",
    "fmt": "fixbook.cli.fmt",
    "check": "fixbook.cli.check",
    "audit": "fixbook.cli.audit",
    "fit": "fixbook.cli.fit",
    "serve": "fixbook.cli.serve",
    "mcp": "fixbook.cli.mcp",
    "env": "fixbook.cli.env",
    "lint": "fixbook.cli.lint",
    "schema": "fixbook.cli.schema",
}


class _Lazy(click.Group):
    """A group that imports a subcommand only when it is called, to start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return translated(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of subcommands from their sources: importing all takes half a second."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _summary(module)) for name, module in COMMANDS.items()])


def _summary(module: str) -> str:
    """Return what a subcommand does: the first paragraph of its docstring, as its source has it."""
    name = module.removeprefix(f"{__name__}.")
    source = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
    function = source.partition("\ndef command(")[2]
    return first_paragraph(function.partition('"""')[2].partition('"""')[0])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fixbook")
def cli() -> None:
    """Failures of large-model training and serving, each with a recipe that proves it.

    \b
    Exit codes:
      0    done; every step showed what its entry says
      1    a step failed or showed something else, or a check found something
      2    wrong usage: unknown entry, unreadable file, broken book
      3    nothing could be run on this machine; the reason is printed
      4    diagnose: a message with several possible causes
      5    diagnose, search: nothing was recognised or found
      6    run: the failure does not happen here
      7    run: another error stopped a step
      70   a defect of fixbook itself
      130  interrupted
    """  # noqa: D301  (click's own mark for text that is not rewrapped)


def run_command(
    command: click.Command, argv: list[str] | None = None, prog_name: str = "fixbook"
) -> int:
    """Run a command and turn its errors into messages and exit codes."""
    choose(language_of(sys.argv[1:] if argv is None else argv))
    try:
        asked: dict[str, Any] = {"color": False} if plain_asked() else {}
        code = translated(command).main(
            args=argv, prog_name=prog_name, standalone_mode=False, **asked
        )
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        # It repeats what was typed, or pasted.
        click.echo(printable(said.getvalue()), err=True, nl=False)
        return error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo(_("interrupted; nothing was recorded"), err=True)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (the outermost one)
        # Imported late: most commands never fail, and start faster without it.
        from fixbook.cli.unexpected import close_output, explain

        if isinstance(error, OSError) and not error.filename:
            close_output()
        # The reader of a pipe (head, less) may go whenever it has seen enough.
        return 0 if isinstance(error, BrokenPipeError) else explain(error)
    return code if isinstance(code, int) else 0


def main() -> None:
    """Run ``fixbook``."""
    # A job ended by its scheduler ends its steps too, as Ctrl-C does.
    if signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:  # as whoever started us wanted it
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # what a terminal cannot show, it is told by number
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_command(cli))
