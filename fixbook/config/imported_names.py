"""Names that a Python file imports and the release lacks, by tables out of the releases."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from fixbook.config.finding import Finding
from fixbook.config.pins import folders_above, pins
from fixbook.config.tables import changed_names
from fixbook.config.tool import IMPORTS, import_name
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from fixbook.config.setting import ConfigDocument, Section

_ENTRIES = {
    "accelerate": "accelerate-api-moved-kwarg",
    "huggingface-hub": "huggingface-hub-import-name-removed",
    "lightning": "lightning-2-removed",
    "peft": "peft-import-name-removed",
    "pytorch-lightning": "lightning-2-removed",
    "transformers": "transformers-import-name-removed",
    "trl": "trl-import-name-removed",
}
# Below which release of transformers pip installs none of the newest ones of another package.
_BESIDE = {"huggingface-hub": "5.0.0", "trl": "4.56.2"}
_WHOLE = "*"  # in the place of a name: the module itself
_WHY = {
    "zh": "这一行导入会抛出 {error}。",
    "en": "The import raises {error}.",
}


@dataclass(frozen=True, slots=True)
class Gone:
    """A name that releases no longer have.

    Attributes:
        last: The last release read that has it.
        home: The module that the newest release read defines it in; empty if not just one does.
    """

    rule: ClassVar[str] = "import-gone"
    last: str
    home: str

    def said(self, zh: str, en: str, place: str = "") -> dict[str, str]:
        """Say that the release lacks what is called so; in Chinese, the place comes first."""
        return {
            "zh": f"{place}没有{zh}（最后见于 {self.last}）",
            "en": f"has no {en} (last seen in {self.last})",
        }


@dataclass(frozen=True, slots=True)
class NotYet:
    """A name that older releases do not have yet.

    Attributes:
        first: The first release read that has it.
    """

    rule: ClassVar[str] = "import-not-yet"
    first: str

    def said(self, zh: str, en: str, place: str = "") -> dict[str, str]:
        """Say that the release lacks what is called so; in Chinese, the place comes first."""
        return {
            "zh": f"{place}还没有{zh}（最早见于 {self.first}）",
            "en": f"has no {en} yet (first seen in {self.first})",
        }


class _Absent(NamedTuple):
    """What a release lacks: the rule, what is said in both languages, and the exception."""

    rule: str
    said: dict[str, str]
    error: str


def absent_names(
    document: ConfigDocument, section: Section, told: Collection[str]
) -> Iterator[Finding]:
    """Report what a Python file imports that the release does not have, any more or yet.

    Args:
        document: The file.
        section: One name that it imports.
        told: Keys that a rule has spoken of.
    """
    package = section.schema.tool.name
    label = import_name(package)
    if section.schema.name != IMPORTS or told:
        return
    release = section.schema.release or _newest(package)
    for setting in section.settings.values():
        found = _absent(package, str(setting.value), release)
        if found and not _is_own(label, document.path) and not _is_held_back(document, section):
            message = {lang: f"{label} {release} {text}" for lang, text in found.said.items()}
            why = {lang: text.format(error=found.error) for lang, text in _WHY.items()}
            yield Finding(
                *(document, section, setting, "error", found.rule, message, why),
                entry=_ENTRIES.get(package),
            )


def lacking(package: str, module: str, name: str, release: str) -> Gone | NotYet | None:
    """Return what is known of a name that a release lacks; None if it may have it.

    Args:
        package: Distribution name, such as ``trl``.
        module: Dotted, without the package's own name.
        name: What is imported from it; ``*`` for the module as a whole.
        release: The release that is meant; one between two of those read may have the name.
    """
    table = changed_names(package)
    if first := _firsts(package).get((module, name)):
        before = table["releases"][table["releases"].index(first) - 1]
        if parse_version(release) <= parse_version(before):
            return NotYet(first)
    row = table.get("gone", {}).get(module, {}).get(name)
    if not row:
        return None
    last, *home = row
    without = table["releases"][table["releases"].index(last) + 1]
    if parse_version(release) < parse_version(without):
        return None
    return Gone(last, home[0] if home else "")


def _absent(package: str, path: str, release: str) -> _Absent | None:
    """What a release lacks of a dotted path."""
    label = import_name(package)
    for outer in _outward(path):
        if found := lacking(package, outer, _WHOLE, release):
            error = "ImportError" if outer == path else "ModuleNotFoundError"
            said = found.said(f"模块 `{label}.{outer}`", f"module `{label}.{outer}`")
            return _Absent(found.rule, said, error)
    module, _dot, name = path.rpartition(".")
    found = lacking(package, module, name, release)
    if not found:
        return None
    place = f"{label}.{module}" if module else label
    what = found.said(f" `{name}`", f"`{name}` in `{place}`", f"的 `{place}` 里")
    if isinstance(found, Gone) and found.home and release == _newest(package):
        home = f"`{label}.{found.home}`"
        what["zh"] += f"；这个版本在 {home} 里定义同名的对象"
        what["en"] += f"; this release defines the name in {home}"
    return _Absent(found.rule, what, "ImportError")


def _is_held_back(document: ConfigDocument, section: Section) -> bool:
    """Tell whether no release is named, and transformers' pin does not let it be the newest."""
    least = _BESIDE.get(section.schema.tool.name)
    if not least or (section.pin and section.pin.source):
        return False
    trainer = pins(document.path).get("transformers")
    return trainer is not None and parse_version(trainer.release) < parse_version(least)


def _is_own(label: str, path: Path) -> bool:
    """Tell whether the repository has a package of its own by that name, as of datasets."""
    with contextlib.suppress(OSError):
        for folder in folders_above(path.resolve().parent):
            if (folder / f"{label}.py").is_file() or any((folder / label).glob("*.py")):
                return True
    return False


def _outward(path: str) -> Iterator[str]:
    """The packages that a dotted path goes through, the outermost first, and the path itself."""
    parts = path.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _newest(package: str) -> str:
    releases = changed_names(package).get("releases", [])
    return str(releases[-1]) if releases else ""


@functools.cache
def _firsts(package: str) -> dict[tuple[str, str], str]:
    """The release that is the first to have a name, by module and name."""
    return {
        (module, name): release
        for module, by_release in changed_names(package).get("since", {}).items()
        for release, names in by_release.items()
        for name in names
    }
