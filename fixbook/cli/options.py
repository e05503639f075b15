"""Options that several subcommands share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar, cast

import click

from fixbook.text import LANGS, N_, Lang, _, language

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA_VERSION = 1  # of what --json prints where no room has one of its own
Command = TypeVar("Command", bound="Callable[..., object]")


def _language(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Lang:
    return cast("Lang", value) if value else language()


lang_option: Callable[[Command], Command] = click.option(
    "--lang",
    type=click.Choice(LANGS),
    callback=_language,
    help=N_("Language of texts; by default that of the terminal."),
)


def unexposed_lang_option() -> click.Option:
    """Return the same option for a command that has no texts of entries to choose."""
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGS),
        expose_value=False,
        help=N_("Language of messages; by default that of the terminal."),
    )


json_option: Callable[[Command], Command] = click.option(
    "--json", "as_json", is_flag=True, help=N_("Print JSON.")
)


def _on_device(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value == "cpu":
        from fixbook.environment import hide_gpus

        hide_gpus()  # steps for any device take the CPU then
    return value


device_option: Callable[[Command], Command] = click.option(
    "--on",
    type=click.Choice(["cpu", "cuda"]),
    callback=_on_device,
    help=N_("Only steps for this device; those for any device run on it."),
)


_SHARD = re.compile(r"([1-9]\d*)/([1-9]\d*)")


def parse_shard(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Read ``2/5`` as the second of five parts.

    Raises:
        click.BadParameter: It is something else.
    """
    if value is None:
        return None
    found = _SHARD.fullmatch(value)
    if not found or int(found[1]) > int(found[2]):
        message = _("{value!r} is not of the form 2/5: part 2 of 5")
        raise click.BadParameter(message.format(value=value))
    return int(found[1]), int(found[2])
