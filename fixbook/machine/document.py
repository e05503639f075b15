"""A report on a machine as a document that rules are applied to, one's own or somebody else's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.errors import ConfigError
from fixbook.config.read import bounded_text, parse
from fixbook.config.tools import machine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.config.setting import ConfigDocument

OWN = Path("this-machine.json")


def document_of(report: Mapping[str, Any]) -> ConfigDocument:
    """Return the report on this machine as a document."""
    return parse(json.dumps(report, ensure_ascii=False, indent=2), OWN)


def read_report(path: Path) -> ConfigDocument:
    """Read a report that somebody has sent; nothing in it is trusted.

    Raises:
        ConfigError: It cannot be read, or is no report.
    """
    document = parse(bounded_text(path), path.with_suffix(".json"))
    document.path = path
    if not any(section.tool == machine.TOOL.name for section in document.sections):
        raise ConfigError(str(path), "no-report")
    return document


def plain(document: ConfigDocument) -> dict[str, Any]:
    """Return a report as plain data again."""
    data: dict[str, Any] = json.loads(document.text)
    return data
