"""Options that several subcommands share."""

from __future__ import annotations

import locale
import os
import re
from typing import TYPE_CHECKING, TypeVar, cast

import click

from fixbook.languages import LANGS, Lang

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., object]")


def default_language() -> Lang:
    """Return the language of the terminal: Chinese for a ``zh`` locale, else English."""
    named = (
        os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    )
    named = named or (locale.getlocale()[0] or "")
    return "zh" if named.lower().startswith("zh") else "en"


def _language(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Lang:
    return cast("Lang", value) if value else default_language()


lang_option: Callable[[Command], Command] = click.option(
    "--lang",
    type=click.Choice(LANGS),
    callback=_language,
    help="Language of texts; by default that of the terminal.",
)
json_option: Callable[[Command], Command] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON."
)


_SHARD = re.compile(r"([1-9]\d*)/([1-9]\d*)")


def parse_shard(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Read ``2/5`` as the second of five parts.

    Raises:
        click.BadParameter: It is something else.
    """
    if value is None:
        return None
    found = _SHARD.fullmatch(value)
    if not found or int(found[1]) > int(found[2]):
        raise click.BadParameter(f"{value!r} is not of the form 2/5: part 2 of 5")
    return int(found[1]), int(found[2])
