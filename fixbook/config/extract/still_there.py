"""Of the names that seem to be gone, those that the installed package gives all the same.

A lazy package makes names when it is asked: transformers 5 gives ``GPT2TokenizerFast``, which no
file of it mentions. What an older release was seen to give is written down by whoever imported it.
"""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import import_name

if TYPE_CHECKING:
    from collections.abc import Mapping


def without_given(tool: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table without what the installed package, of the newest release read, still gives.

    Args:
        tool: Its distribution name.
        table: What `fixbook.config.extract.changed_names.changed_names` found.

    Raises:
        ModuleNotFoundError: It is not installed.
        ValueError: Another release of it is installed.
    """
    newest, installed = table["releases"][-1], metadata.version(tool)
    if installed != newest:
        raise ValueError(f"{tool} {installed} is installed; the newest release read is {newest}")
    gone = {
        module: {name: row for name, row in names.items() if not _gives(tool, module, name)}
        for module, names in table["gone"].items()
    }
    return {**table, "gone": {module: names for module, names in gone.items() if names}}


def corrected(table: Mapping[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with what importing names from older releases showed.

    Args:
        table: What `fixbook.config.extract.changed_names.changed_names` found.
        seen: ``seen``: by release and module, the names that it still gives; ``older``: by module,
            the names that releases before the one read as the first give, too.
    """
    gone = {module: dict(names) for module, names in table["gone"].items()}
    for release, by_module in seen.get("seen", {}).items():
        for module, names in by_module.items():
            rows = gone.get(module, {})
            rows.update({name: [release, *rows[name][1:]] for name in names if name in rows})
    since: dict[str, dict[str, list[str]]] = {}
    for module, by_release in table["since"].items():
        older = set(seen.get("older", {}).get(module, ()))
        for release, names in by_release.items():
            if kept := [name for name in names if name not in older]:
                since.setdefault(module, {})[release] = kept
    return {**table, "gone": gone, "since": since}


def _gives(tool: str, module: str, name: str) -> bool:
    try:
        imported = importlib.import_module(f"{import_name(tool)}.{module}".rstrip("."))
        return name == "*" or hasattr(imported, name)
    except Exception:  # noqa: BLE001  (of any kind: what a module needs may be absent, or refuse)
        return False
