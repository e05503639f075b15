"""Names that a Python file imports and the release no longer has, by tables out of the releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fixbook.config.finding import Finding
from fixbook.config.tool import IMPORTS, read_table
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fixbook.config.setting import ConfigDocument, Section

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
        home: The module that the newest release read defines it in; empty if not just one does.
    """

    last: str
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
    release = section.schema.release or _newest(package)
    for setting in section.settings.values():
        if found := _absent(package, str(setting.value), release):
            what, error = found
            message = {lang: f"{package} {release} {text}" for lang, text in what.items()}
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
    without = table["releases"][table["releases"].index(last) + 1]
    if parse_version(release) < parse_version(without):
        return None
    return Gone(last, home[0] if home else "")


def _absent(package: str, path: str, release: str) -> tuple[dict[str, str], str] | None:
    """What a release lacks of a dotted path, in both languages, and the exception it ends in."""
    for outer in _outward(path):
        if gone := lacking(package, outer, _WHOLE, release):
            error = "ImportError" if outer == path else "ModuleNotFoundError"
            return _said(f"模块 `{package}.{outer}`", f"module `{package}.{outer}`", gone), error
    module, _dot, name = path.rpartition(".")
    gone = lacking(package, module, name, release)
    if not gone:
        return None
    place = f"{package}.{module}" if module else package
    what = _said(f" `{place}` 里的 `{name}`", f"`{name}` in `{place}`", gone)
    if gone.home and release == _newest(package):
        home = f"`{package}.{gone.home}`"
        what["zh"] += f"；这个版本在 {home} 里定义同名的对象"
        what["en"] += f"; this release defines the name in {home}"
    return what, "ImportError"


def _said(zh: str, en: str, gone: Gone) -> dict[str, str]:
    return {
        "zh": f"没有{zh}（最后见于 {gone.last}）",
        "en": f"has no {en} (last seen in {gone.last})",
    }


def _outward(path: str) -> Iterator[str]:
    """The packages that a dotted path goes through, the outermost first, and the path itself."""
    parts = path.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _newest(package: str) -> str:
    releases = names_gone(package).get("releases", [])
    return str(releases[-1]) if releases else ""


def names_gone(package: str) -> dict[str, Any]:
    """Return a package's table, as `fixbook.config.extract.names` writes it; empty without one.

    Args:
        package: Name of the tool.
    """
    return read_table(f"{package}-names")
