"""Commands as the reader's language has them: help, options, and what click says by itself."""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING

import click

from fixbook.cli.options import unexposed_lang_option
from fixbook.cli.wrapping import has_wide, wrap
from fixbook.text import _, i18n

if TYPE_CHECKING:
    from collections.abc import Iterator

_RAW = "\b\n"  # click's mark of a paragraph that is not rewrapped
# Where click looks its own messages up. It asks the process's locale, which --lang cannot change.
CLICK_MODULES = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.types,
)


def translated(command: click.Command) -> click.Command:
    """Return a command that says everything in the chosen language, and takes ``--lang``."""
    _teach_click()
    mine = copy.copy(command)
    # click keeps the option, with the text of the first language that asked for it.
    mine._help_option = None  # noqa: SLF001
    mine.params = [_parameter(param) for param in command.params]
    if not any("--lang" in param.opts for param in mine.params):
        mine.params.append(_parameter(unexposed_lang_option()))
    if mine.help:
        mine.help = "\n\n".join(raw + _(text) for raw, text in paragraphs(mine.help))
        mine.short_help = first_paragraph(command.help or "")
    if mine.options_metavar:
        mine.options_metavar = _(mine.options_metavar)
    if isinstance(mine, click.Group):
        mine.subcommand_metavar = _(mine.subcommand_metavar)
    return mine


def first_paragraph(help_text: str) -> str:
    """Return what a list of commands says of one: its first paragraph, as one clause."""
    return next((_(text) for _raw, text in paragraphs(help_text)), "").partition("。")[0]


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Split a help text into the messages of the catalogue.

    Yields:
        The mark of a paragraph that is not rewrapped, or nothing; and the paragraph.
    """
    for part in inspect.cleandoc(text).split("\n\n"):
        raw = _RAW if part.startswith(_RAW) else ""
        rest = part.removeprefix(_RAW)
        yield raw, rest if raw else " ".join(rest.split())


def _parameter(param: click.Parameter) -> click.Parameter:
    mine = copy.copy(param)
    if isinstance(mine, click.Option) and mine.help:
        mine.help = _(mine.help)
    return mine


def _teach_click() -> None:
    for module in CLICK_MODULES:
        for name, ours in (("_", _), ("ngettext", i18n.ngettext)):
            if hasattr(module, name):
                setattr(module, name, ours)
    click.formatting.wrap_text = _wrap_text
    click.Context.formatter_class = _Formatter


class _Formatter(click.HelpFormatter):
    """Puts the punctuation of the language behind headings: a full-width colon takes no space."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, _("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        self.write(" " * self.current_indent + _("{heading}:").format(heading=heading) + "\n")


_wrap_latin = click.formatting.wrap_text


def _wrap_text(
    text: str,
    width: int = 78,
    initial_indent: str = "",
    subsequent_indent: str = "",
    preserve_paragraphs: bool = False,  # noqa: FBT002  (click's own signature)
) -> str:
    if not has_wide(text):
        return _wrap_latin(text, width, initial_indent, subsequent_indent, preserve_paragraphs)
    if not preserve_paragraphs:
        return wrap(text, width, initial_indent, subsequent_indent)
    return "\n\n".join(
        "\n".join(initial_indent + line for line in part.removeprefix(_RAW).splitlines())
        if part.startswith(_RAW)
        else wrap(part, width, initial_indent, subsequent_indent)
        for part in text.split("\n\n")
    )
