"""Check configurations: what is wrong with them before a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.check import Report
from fixbook.config.check import check as check_documents
from fixbook.config.errors import ConfigError
from fixbook.config.output import as_json
from fixbook.config.patch import work_out
from fixbook.config.pins import pin
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.config.setting import ConfigDocument


@dataclass(slots=True)
class Checked:
    """Files that were checked together.

    Attributes:
        report: What was found.
        problems: Files that could not be read.
    """

    report: Report = field(default_factory=Report)
    problems: list[ConfigError] = field(default_factory=list)


def check_files(names: Iterable[str | Path], release: str = "") -> Checked:
    """Read files and check them together; one that cannot be read does not end the others.

    Args:
        names: The files.
        release: What they are for, as ``TOOL`` or ``TOOL@VERSION``; by default their content and
            what pins a release beside them tell.
    """
    tool, _, version = release.partition("@")
    documents: list[ConfigDocument] = []
    checked = Checked()
    for name in dict.fromkeys(map(str, names)):
        try:
            document = read_file(Path(name), tool, version or None)
            pin(document)
            documents.append(document)
        except ConfigError as error:
            checked.problems.append(error)
    checked.report = check_documents(documents)
    return checked


def check(*names: str | Path, release: str = "") -> dict[str, Any]:
    """Check configuration files together; nothing in them is run.

    Args:
        *names: The files.
        release: What they are for, as ``TOOL`` or ``TOOL@VERSION``.

    Returns:
        What ``fixbook check --json`` prints; files that cannot be read stand in it.
    """
    checked = check_files(names, release)
    work_out(checked.report.findings)
    return as_json(checked.report, checked.problems)
