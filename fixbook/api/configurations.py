"""Check configurations: what is wrong with them before a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.check import Report
from fixbook.config.check import check as check_documents
from fixbook.config.errors import ConfigError
from fixbook.config.folder import Skipped, files, may_be_one
from fixbook.config.output import as_json
from fixbook.config.patch import work_out
from fixbook.config.pins import pin
from fixbook.config.read import bounded_text, decoded, parse
from fixbook.log.redact import blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fixbook.config.setting import ConfigDocument


@dataclass(slots=True)
class Checked:
    """Files that were checked together.

    Attributes:
        report: What was found.
        problems: Files that were named and could not be read.
        skipped: Files of folders that were not checked.
        count: How many files were checked.
    """

    report: Report = field(default_factory=Report)
    problems: list[ConfigError] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    count: int = 0


def check_files(
    names: Iterable[str | Path],
    release: str = "",
    texts: Mapping[str, bytes] | None = None,
    *,
    as_of_folder: bool = False,
) -> Checked:
    """Read files and check them together; one that cannot be read does not end the others.

    Args:
        names: The files, and folders: what is a configuration there is checked, each by itself.
        release: What they are for, as ``TOOL`` or ``TOOL@VERSION``; by default their content and
            what pins a release beside them tell.
        texts: Content of names that are no files, such as that of standard input.
        as_of_folder: Whether files are taken as if a folder had been named: what is no
            configuration is skipped.
    """
    tool, _, version = release.partition("@")
    given = texts or {}
    documents: list[ConfigDocument] = []
    checked = Checked()
    named = list(dict.fromkeys(map(str, names)))
    known = {Path(name).absolute() for name in named}
    for name in named:
        path = Path(name)
        try:
            if name in given:
                documents.append(_parsed(decoded(given[name], name), path, tool, version))
            elif path.is_dir():
                checked.skipped.folders += 1
                for inner in files(path):
                    if inner.absolute() not in known:
                        known.add(inner.absolute())
                        documents += _of_folder(inner, tool, version, checked.skipped)
            elif as_of_folder:
                documents += _of_folder(path, tool, version, checked.skipped)
            else:
                documents.append(_parsed(bounded_text(path), path, tool, version))
                documents[-1].on_disk = True
        except ConfigError as error:
            checked.problems.append(error)
    checked.count = len(documents)
    checked.report = check_documents(documents)
    return checked


def _parsed(text: str, path: Path, tool: str, version: str) -> ConfigDocument:
    document = parse(text, path, tool, version or None)
    pin(document)
    return document


def _of_folder(path: Path, tool: str, version: str, skipped: Skipped) -> Iterator[ConfigDocument]:
    """Yield the document of a file of a folder, if a known tool reads it."""
    try:
        text = bounded_text(path)
        document = parse(text, path, tool, version or None) if tool or may_be_one(text) else None
    except ConfigError as error:
        if error.kind in {"unknown-tool", "bad-version"}:
            raise
        skipped.unread.append(error)
        return
    if document is None or not any(section.tool for section in document.sections):
        skipped.others += 1
        return
    document.of_folder = document.on_disk = True
    pin(document)
    yield document


def check(*names: str | Path, release: str = "") -> dict[str, Any]:
    """Check configuration files together; nothing in them is run.

    Args:
        *names: The files, and folders.
        release: What they are for, as ``TOOL`` or ``TOOL@VERSION``.

    Returns:
        What ``fixbook check --json`` prints; files that cannot be read stand in it.
    """
    checked = check_files(names, release)
    work_out(checked.report.findings)
    said: dict[str, Any] = blank(as_json(checked.report, checked.problems))
    return said | {"checked": checked.count, "skipped": checked.skipped.as_json()}
