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
_MOST_CHARACTERS = 40  # of a format that is none


def document_of(report: Mapping[str, Any]) -> ConfigDocument:
    """Return the report on this machine as a document."""
    return parse(json.dumps(report, ensure_ascii=False, indent=2), OWN)


def read_report(path: Path) -> ConfigDocument:
    """Read a report that somebody has sent; nothing in it is trusted.

    Raises:
        ConfigError: It cannot be read, is no report, or one of another format.
    """
    document = parse(bounded_text(path), path.with_suffix(".json"))
    document.path = path
    sections = [one for one in document.sections if one.tool == machine.TOOL.name]
    if not sections:
        raise ConfigError(str(path), "no-report")
    found = sections[0].settings[machine.MARK].value
    if found != machine.FORMAT:
        said = str(found)[:_MOST_CHARACTERS]
        raise ConfigError(str(path), "other-format", found=said, read=machine.FORMAT)
    return document


def plain(document: ConfigDocument) -> dict[str, Any]:
    """Return a report as plain data again."""
    data: dict[str, Any] = json.loads(document.text)
    return data
