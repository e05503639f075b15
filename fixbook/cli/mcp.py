"""``fixbook mcp``: answer an agent on standard input and output."""

from __future__ import annotations

import gc
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from fixbook.cli.options import lang_option
from fixbook.exits import DONE
from fixbook.garbage import uncollected
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.text import Lang


@click.command("mcp")
@click.option(
    "--root",
    "folders",
    multiple=True,
    metavar="DIR",
    help="A folder whose files may be read, with all below it; several can be named.",
)
@lang_option
def command(folders: tuple[str, ...], lang: Lang) -> int:
    """Answer agents by the Model Context Protocol; needs the extra `mcp`.

    Its tools diagnose logs, check configurations, audit releases, and read and list entries. None
    runs or writes anything, and no file outside of the folders is read. Without --root, agents can
    only send text.
    """
    from fixbook.agent.roots import Roots

    roots = Roots(folders)
    if find_spec("mcp") is None:
        raise click.ClickException(_("needs the extra: pip install 'fixbook[mcp]'"))
    # A tenth of the start went into looking for garbage among what is imported, which stays.
    with uncollected():
        from fixbook.agent.server import serve

        gc.freeze()
    serve(roots, lang)
    return DONE
