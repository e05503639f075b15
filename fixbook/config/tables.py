"""The key tables: what each tool reads, and since when. Data only; no tool is imported."""

from __future__ import annotations

import difflib
import functools
import json
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"
TOOLS = tuple(sorted(path.stem for path in _DATA.glob("*.json")))
_EXTENDS = "extends:transformers"
_TRAINER = "TrainingArguments"
_MISSPELT = 0.9
_OLDEST_TRAINER = (4, 57)  # that current releases of trl and llamafactory work with


def version_key(text: str) -> tuple[int, ...]:
    """Return a sortable key of a release number; suffixes such as ``.post1`` count last."""
    parts = text.replace("post", "").split(".")
    return tuple(int(part) for part in parts if part.isdigit())


@functools.cache
def table(tool: str) -> dict[str, Any]:
    """Return the table of a tool; empty if there is none."""
    path = _DATA / f"{tool}.json"
    loaded: dict[str, Any] = (
        json.loads(path.read_bytes()) if path.is_file() else {"versions": [], "schemas": {}}
    )
    return loaded


def newest(tool: str) -> str:
    """Return the newest release of a tool that its table was read from."""
    versions = table(tool)["versions"]
    return str(versions[-1]) if versions else ""


@functools.cache
def keys(tool: str, schema: str) -> dict[str, Any]:
    """Return every key of a schema, with those of the schema it extends."""
    found: dict[str, Any] = table(tool)["schemas"].get(schema, {})
    if _EXTENDS in found:
        base = keys(
            "transformers", "Seq2SeqTrainingArguments" if tool == "llamafactory" else _TRAINER
        )
        own = {key: row for key, row in found.items() if key != _EXTENDS}
        found = {
            **base,
            **{key: row for key, row in own.items() if key not in base or "to" not in row},
        }
    return found


def in_version(tool: str, row: dict[str, Any], version: str) -> bool:
    """Tell whether a key can exist in a release.

    Not every release was read: one between two of those may have the keys of both.
    """
    wanted, read = version_key(version), table(tool)["versions"]
    if "from" in row and wanted <= version_key(read[read.index(row["from"]) - 1]):
        return False
    return "to" not in row or wanted < version_key(read[read.index(row["to"]) + 1])


def valid_keys(tool: str, schema: str, version: str | None) -> dict[str, Any]:
    """Return the keys that exist in a release; by default the newest."""
    rows = keys(tool, schema)
    own = table(tool)["schemas"].get(schema, {})
    inherits = _EXTENDS in own  # from a release of transformers that is not known here
    wanted = version or newest(tool)
    return {
        key: row
        for key, row in rows.items()
        if (_recent(row) if inherits and own.get(key) is not row else in_version(tool, row, wanted))
    }


def _recent(row: dict[str, Any]) -> bool:
    return "to" not in row or version_key(row["to"]) >= _OLDEST_TRAINER


def last_seen(tool: str, schema: str, key: str) -> str:
    """Return the last release that has a key, with its tool; empty if the newest has it."""
    last = keys(tool, schema).get(key, {}).get("to", "")
    owner = tool if key in table(tool)["schemas"].get(schema, {}) else "transformers"
    return f"{owner} {last}" if last else ""


def is_newer(tool: str, version: str | None) -> bool:
    """Tell whether a release is newer than the newest whose keys are known here."""
    return bool(version) and version_key(str(version)) > version_key(newest(tool))


def is_gone(tool: str, schema: str, version: str | None) -> bool:
    """Tell whether a whole schema is missing from a release: its class was removed or moved."""
    own = table(tool)["schemas"].get(schema, {})
    return bool(own) and not any(
        in_version(tool, row, version or newest(tool)) for row in own.values()
    )


def nearest(key: str, candidates: list[str]) -> tuple[str, bool] | None:
    """Return the most similar key at the same depth, or None if none is similar.

    Returns:
        The key, and whether the difference is so small that it can only be a misspelling.
    """
    parent, _, name = key.rpartition(".")
    level = {
        item.rpartition(".")[2]: item for item in candidates if item.rpartition(".")[0] == parent
    }
    close = difflib.get_close_matches(name, level, n=1, cutoff=0.78)
    if not close:
        return None
    return level[close[0]], difflib.SequenceMatcher(None, close[0], name).ratio() >= _MISSPELT


def classes() -> dict[str, tuple[str, str]]:
    """Return tool and schema of every class whose keyword arguments are settings."""
    found = {name: ("trl", name) for name in table("trl")["schemas"] if not name.startswith("_")}
    return found | {name: ("transformers", name) for name in table("transformers")["schemas"]}
