"""A tool, and the keys that it reads: of each, in which releases, and what it accepts."""

from __future__ import annotations

import difflib
import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fixbook.config.tables import read_table
from fixbook.versions import parse_version

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Mapping

    from fixbook.config.extract.classes import Shape

    Keys = dict[str, Shape]
    Extract = Callable[[Mapping[str, str]], dict[str, Keys]]
    Validate = Callable[[dict[str, Any], bool], Iterator[str]]

_NO_TABLE: dict[str, Any] = {"versions": [], "schemas": {}}
_EXTENDS = "extends:transformers"
_MISSPELT = 0.9
_LEAST_BEGUN = 4  # letters with which a name may begin
IMPORTS = "imports"  # the schema of a name that a Python file imports from the tool
LAUNCH = "launch"  # the schema of the options of a launcher, before those of the script
# Schemas that are no configuration of their tool's main program: its rules are not about them.
_ALONE = frozenset({IMPORTS, LAUNCH, "fsdp_sft_trainer", "sft_trainer", "data"})


def import_name(package: str) -> str:
    """Return what a package is imported as, by its distribution name."""
    return package.replace("-", "_")


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """All that is known of one tool.

    Attributes:
        name: Its distribution name.
        label: Its name as its makers write it.
        marks: Keys that only it has; the more of them, the surer a file is for it.
        needed: Without one of these a file is not for it, whatever else it says.
        shared: With one of these, others read the file too, and keys it lacks are theirs.
        drops: Which unknown keys it drops without a word; it refuses the others.
        nested: True if it declares keys at every depth, but those below a key without a type.
        takes_auto: True if ``auto`` stands for any value; text if for those below that key.
        prefixes: What may be left out of the names below a key.
        classes: True if its schemas are classes whose keyword arguments are settings.
        base: The schema that its own extend.
        base_from: From which release of its own on it asks for which release of that one, at least.
        command: A word of the command that starts it; the group ``schema`` names the schema.
        extract: Reads the keys of each schema out of the files of a release.
        validate: Asks the tool itself, imported, what it has against a configuration; true as the
            second argument means part of one, which is completed first.
        serves: True for a server: its options are written with hyphens, and a word of its own, the
            model, may stand between them.
        completes: False if it does not take the beginning of an option's name for the option.
        check: What of the tool accepts or refuses a configuration.
        stack: What to install beside the main environment to ask it, the tool first.
    """

    name: str
    label: str = ""
    marks: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    drops: Literal["none", "all", "top", "nested"] = "none"
    nested: bool = False
    takes_auto: bool | str = False
    prefixes: tuple[tuple[str, str], ...] = ()
    classes: bool = False
    base: Schema | None = None
    base_from: tuple[tuple[str, str], ...] = ()
    command: re.Pattern[str] | None = None
    extract: Extract | None = None
    validate: Validate | None = None
    serves: bool = False
    completes: bool = True
    check: str = ""
    stack: tuple[str, ...] = ()

    @property
    def table(self) -> dict[str, Any]:
        """Its key table: the releases that were read, and the keys of each schema."""
        return read_table(self.name) or _NO_TABLE

    @property
    def versions(self) -> list[str]:
        """The releases that its table was read from, in order."""
        versions: list[str] = self.table["versions"]
        return versions

    @property
    def newest(self) -> str:
        """The newest of them; empty if there is no table."""
        return self.versions[-1] if self.versions else ""

    @property
    def schemas(self) -> list[str]:
        """The names of its schemas."""
        return list(self.table["schemas"])

    def accepts_auto(self, key: str) -> bool:
        """Tell whether ``auto`` may stand for the value of a key."""
        below = self.takes_auto
        return key.startswith(f"{below}.") if isinstance(below, str) else below

    def drops_key(self, key: str) -> bool:
        """Tell whether it drops an unknown key without a word."""
        return self.drops in {"all", "nested" if "." in key else "top"}


@dataclass(frozen=True, slots=True)
class Schema:
    """The keys that a tool reads in one place: a whole file, one class, one command.

    Attributes:
        tool: The tool; one without a name while it is not known.
        name: Which of the tool's key tables applies.
        version: Release given by the user or by the file; None means the newest known.
        trainer: Release of transformers, for a schema that extends the Trainer's; None if unknown.
    """

    tool: Tool
    name: str = ""
    version: str | None = None
    trainer: str | None = None

    def at(self, version: str | None) -> Schema:
        """Return the schema as it is in a release."""
        return replace(self, version=version)

    @property
    def release(self) -> str:
        """The release that is meant: the one given, or the newest known."""
        return self.version or self.tool.newest

    @property
    def keys(self) -> dict[str, Any]:
        """Every key of every release, with those of the schema it extends."""
        return _keys(self.at(None))

    @property
    def valid(self) -> dict[str, Any]:
        """The keys that exist in the release."""
        return _valid(self)

    @property
    def own(self) -> dict[str, Any]:
        """Every key but those of the schema it extends."""
        rows: dict[str, Any] = self.tool.table["schemas"].get(self.name, {})
        return rows

    @property
    def constructs(self) -> bool:
        """True for a constructor whose arguments are not the settings: a trainer, `Accelerator`."""
        return self.name.endswith(("Trainer", "Accelerator"))

    @property
    def stands_alone(self) -> bool:
        """True for what is no configuration of the tool: rules on the tool are not about it."""
        return self.constructs or self.name in _ALONE

    @property
    def is_newer(self) -> bool:
        """True if the release is newer than the newest whose keys are known here."""
        newest = self.tool.newest  # none of a tool of which no keys are read
        return bool(self.version and newest) and parse_version(self.release) > parse_version(newest)

    @property
    def is_older(self) -> bool:
        """True if the release is older than the oldest whose keys are known here."""
        read = self.tool.versions
        return bool(self.version and read) and parse_version(self.release) < parse_version(read[0])

    @property
    def is_gone(self) -> bool:
        """True if the release lacks the whole schema: its class was removed or moved."""
        return bool(self.own) and not any(self.has(row) for row in self.own.values())

    def has(self, row: dict[str, Any]) -> bool:
        """Tell whether a key of its own can exist in the release.

        Not every release was read: one between two of those may have the keys of both.
        """
        wanted, read = parse_version(self.release), self.tool.versions
        if "from" in row and wanted <= parse_version(read[read.index(row["from"]) - 1]):
            return False
        return "to" not in row or wanted < parse_version(read[read.index(row["to"]) + 1])

    def row(self, key: str) -> dict[str, Any] | None:
        """Return what is known of a key in the release; of a server's option by its beginning, too.

        Nothing is, where an older release than the one that was read takes other values.
        """
        row = self.valid.get(key)
        if row is None and self.tool.serves and self.tool.completes:
            longer = [name for name in self.valid if name.startswith(key)]
            row = self.valid[longer[0]] if len(longer) == 1 else None
        since = row.get("since") if row else None
        asked = since and parse_version(self.release) < parse_version(since)
        return None if asked or (self.tool.serves and self.is_older) else row

    def most_words(self, key: str) -> float:
        """Return how many words an option takes at most; what follows is the command's own."""
        types = self.keys.get(key, {}).get("types", ())
        if not self.tool.serves or not types or "list" in types:
            return float("inf")
        return 0 if "flag" in types else 1

    def has_below(self, parent: str) -> bool:
        """Tell whether there are valid keys below another one."""
        return parent in _levels(self)

    def last_seen(self, key: str) -> str:
        """Return the last release that has a key, with its tool; empty if the newest has it."""
        last = self.keys.get(key, {}).get("to", "")
        owner = self.tool.name if key in self.own or not self.tool.base else "transformers"
        return f"{owner} {last}" if last else ""

    def nearest(self, key: str) -> tuple[str, bool] | None:
        """Return the most similar key at the same depth, or None if none is similar.

        Returns:
            The key, and whether the difference is so small that it can only be a misspelling.
        """
        return _nearest(self, key)


UNRECOGNISED = Schema(Tool(""))


@functools.cache
def _keys(schema: Schema) -> dict[str, Any]:
    found, base = schema.own, schema.tool.base
    if _EXTENDS not in found or base is None:
        return found
    own = {key: row for key, row in found.items() if key != _EXTENDS}
    kept = {key: row for key, row in own.items() if key not in base.keys or "to" not in row}
    return {**base.keys, **kept}


@functools.lru_cache(maxsize=64)
def _valid(schema: Schema) -> dict[str, Any]:
    own, base = schema.own, schema.tool.base
    inherited = base.keys if base and _EXTENDS in own else {}
    there = _there(schema)
    valid: dict[str, Any] = {}
    for key, row in schema.keys.items():
        if key in own and own[key] is row and schema.has(row):
            valid[key] = row
        elif key in inherited and there(inherited[key]):
            valid[key] = inherited[key]
    return valid


def _there(schema: Schema) -> Callable[[dict[str, Any]], bool]:
    """Return what tells whether a key that a schema inherits can exist.

    That release is not known unless the repository names one; one that is too old for the tool is
    of another environment.
    """
    base, lowest = schema.tool.base, "0"
    for release, asked in schema.tool.base_from:
        if parse_version(release) <= parse_version(schema.release):
            lowest = asked
    if base and schema.trainer and parse_version(schema.trainer) >= parse_version(lowest):
        return base.at(schema.trainer).has
    return lambda row: "to" not in row or parse_version(row["to"]) >= parse_version(lowest)


@functools.lru_cache(maxsize=64)
def _levels(schema: Schema) -> dict[str, dict[str, str]]:
    """The valid keys by their parent and last part."""
    levels: dict[str, dict[str, str]] = {}
    for key in schema.valid:
        parent, _, name = key.rpartition(".")
        levels.setdefault(parent, {})[name] = key
    return levels


@functools.lru_cache(maxsize=1024)
def _nearest(schema: Schema, key: str) -> tuple[str, bool] | None:
    parent, _, name = key.rpartition(".")
    level = _levels(schema).get(parent, {})
    close = difflib.get_close_matches(name, level, n=1, cutoff=0.78)
    if not close:
        # What is cut short looks little like the whole.
        begun = [whole for whole in level if whole.startswith(name) and len(name) >= _LEAST_BEGUN]
        return (level[begun[0]], False) if len(begun) == 1 else None
    return level[close[0]], difflib.SequenceMatcher(None, close[0], name).ratio() >= _MISSPELT
