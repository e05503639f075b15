"""Names that a Python file imports and the release no longer has, by tables out of the releases."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fixbook.config.finding import Finding
from fixbook.config.tool import IMPORTS
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fixbook.config.setting import ConfigDocument, Section

_DATA = Path(__file__).with_name("data")
_ENTRIES = {
    "accelerate": "accelerate-api-moved-kwarg",
    "peft": "peft-import-name-removed",
    "transformers": "transformers-import-name-removed",
    "trl": "trl-import-name-removed",
}
_WHOLE = "*"  # in the place of a name: the module itself is gone
_WHY = {
    "zh": "这句导入会抛出 {error}。",
    "en": "The import raises {error}.",
}


class Gone(NamedTuple):
    """A name that releases no longer have.

    Attributes:
        last: The last release read that has it.
        since: The next one that was read, which lacks it.
        home: The module that the newest release read defines it in; empty if not just one does.
    """

    last: str
    since: str
    home: str


def gone_names(
    document: ConfigDocument, section: Section, told: Collection[str]
) -> Iterator[Finding]:
    """Report what a Python file imports that the release no longer has.

    Args:
        document: The file.
        section: One name that it imports.
        told: Keys that a rule has spoken of.
    """
    if section.schema.name != IMPORTS or told:
        return
    package = section.schema.tool.name
    for setting in section.settings.values():
        path = str(setting.value)
        module, _dot, name = path.rpartition(".")
        release = section.schema.release or _newest(package)
        if not release:
            continue
        where = _missing_module(package, path, release)
        gone = lacking(package, *((where, _WHOLE) if where else (module, name)), release)
        if not gone:
            continue
        if where:
            what = {"zh": f"模块 `{package}.{where}`", "en": f"no module `{package}.{where}`"}
            error = "ImportError" if where == path else "ModuleNotFoundError"
        else:
            place = f"{package}.{module}" if module else package
            what = {"zh": f"`{place}` 里的 `{name}`", "en": f"no `{name}` in `{place}`"}
            error = "ImportError"
        message = {
            "zh": f"{package} {release} 没有{what['zh']}（最后见于 {gone.last}）",
            "en": f"{package} {release} has {what['en']} (last seen in {gone.last})",
        }
        if gone.home and not where and release == _newest(package):
            home = f"`{package}.{gone.home}`"
            message["zh"] += f"；这个版本在 {home} 里定义同名的对象"
            message["en"] += f"; this release defines the name in {home}"
        why = {lang: text.format(error=error) for lang, text in _WHY.items()}
        yield Finding(
            *(document, section, setting, "error", "import-gone", message, why),
            entry=_ENTRIES.get(package),
        )


def lacking(package: str, module: str, name: str, release: str) -> Gone | None:
    """Return what is known of a name that a release lacks; None if it may have it.

    Args:
        package: Name of the tool, such as ``trl``.
        module: Dotted, without the package's own name.
        name: What is imported from it; ``*`` for the module as a whole.
        release: The release that is meant; one between two of those read may have the name still.
    """
    table = names_gone(package)
    row = table.get("gone", {}).get(module, {}).get(name)
    if not row:
        return None
    last, *home = row
    since = table["releases"][table["releases"].index(last) + 1]
    if parse_version(release) < parse_version(since):
        return None
    return Gone(last, since, home[0] if home else "")


def _missing_module(package: str, path: str, release: str) -> str:
    """The outermost module of what is imported that a release lacks; empty if it has them all."""
    parts = path.split(".")
    outward = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((path for path in outward if lacking(package, path, _WHOLE, release)), "")


def _newest(package: str) -> str:
    releases = names_gone(package).get("releases", [])
    return str(releases[-1]) if releases else ""


@functools.cache
def names_gone(package: str) -> dict[str, Any]:
    """Return a package's table, as `fixbook.config.extract.names` writes it; empty without one.

    Args:
        package: Name of the tool.
    """
    path = _DATA / f"{package}-names.json"
    if not path.is_file():
        return {}
    loaded: dict[str, Any] = json.loads(path.read_bytes())
    return loaded
