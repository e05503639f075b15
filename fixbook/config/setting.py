"""What a configuration file says: settings with their places, grouped by the tool they are for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import UNRECOGNISED

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.config.pins import Pin
    from fixbook.config.tool import Schema


class Unknown:
    """The value of an expression: known only when the file is run, and nothing is run here."""

    def __repr__(self) -> str:
        return "…"


UNKNOWN = Unknown()
_MOST_BITS = 4096


_MOST_ITEMS, _MOST_CHARACTERS = 4, 300


def shown(value: Any) -> str:
    """Return a value as texts name it: of a list a few items, each cut where it is long."""
    if not isinstance(value, list):
        return str(value)
    items = [str(item)[:_MOST_CHARACTERS] for item in value[:_MOST_ITEMS]]
    more = len(value) - len(items)
    return ", ".join(items) + (f", … (+{more})" if more else "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of a text stands; line and column count from 1, offsets from 0."""

    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Setting:
    """One key with its value.

    Attributes:
        path: The keys that lead to it.
        value: Plain data, or `UNKNOWN`.
        key_place: Where its name stands.
        value_place: Where its value stands; None for a flag without one.
        inherited: True if it comes from elsewhere in the file (an alias, a merge key, a variable).
        added: ``+`` or ``++`` where it is meant to add a key that the tool does not have, ``~``
            where one is to go; empty otherwise.
    """

    path: tuple[str, ...]
    value: Any
    key_place: Place
    value_place: Place | None = None
    inherited: bool = False
    added: str = ""

    @property
    def key(self) -> str:
        """The path as one name."""
        return ".".join(self.path)


@dataclass(slots=True)
class Section:
    """The settings that one tool reads: a whole file, one call, one command.

    Attributes:
        schema: The keys that the tool reads here, in the release that is meant.
        settings: By dotted key; parents of nested settings are among them.
        closed: True if the tool reads nothing else here, so that unknown keys are mistakes.
        complete: False if another program has a part in it, whose defaults are not known: what is
            not written here may be set all the same.
        pin: What the release was taken from; None if the user or the file names it, or nobody.
        served: What a server is started with, where that is a word of its own and no option.
        theirs: True if another program is started, which was built on the tool and may not check
            what the tool checks.
        cut: The first option that is meant for a command and stands behind its end; None if none.
    """

    schema: Schema = UNRECOGNISED
    settings: dict[str, Setting] = field(default_factory=dict)
    closed: bool = True
    complete: bool = True
    pin: Pin | None = None
    served: str = ""
    theirs: bool = False
    cut: Setting | None = None

    @property
    def tool(self) -> str:
        """Distribution name of the tool, or empty while it is not known."""
        return self.schema.tool.name

    def add(self, setting: Setting) -> None:
        """Keep a setting; a later one of the same name wins, as it does in the tools.

        A number that Python would refuse to write down is no value that a rule is about.
        """
        value = setting.value
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            setting = replace(setting, value=UNKNOWN)
        self.settings[setting.key] = setting


@dataclass(slots=True)
class ConfigDocument:
    """A file.

    Attributes:
        path: The file.
        kind: ``yaml``, ``json``, ``python`` or ``shell``.
        text: Its text, with plain line ends and without byte order mark.
        sections: What tools read from it.
        repeated: Keys written twice, by their second place.
        of_folder: True if a folder was named, and not the file itself.
        on_disk: True if it was read from where its path says; a text may merely be called so.
    """

    path: Path
    kind: str
    text: str
    sections: list[Section] = field(default_factory=list)
    repeated: list[Setting] = field(default_factory=list)
    of_folder: bool = False
    on_disk: bool = False
