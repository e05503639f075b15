"""Check configurations that are in memory: what the page in the browser calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.fix import fixed_text
from fixbook.config.output import as_json, summary
from fixbook.config.patch import unified, work_out
from fixbook.config.read import decoded, parse
from fixbook.config.write import as_before

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.config.setting import ConfigDocument
    from fixbook.text import Lang


PASTED = "pasted"  # what the page calls a text that has no name
_ENDINGS = {"yaml": "yaml", "json": "json", "python": "py", "shell": "sh"}


def check_texts(
    files: Iterable[tuple[str, bytes]], lang: Lang, release: str = ""
) -> dict[str, Any]:
    """Check texts together, as ``fixbook check --json`` does files.

    Args:
        files: Name and content of each; the name tells the kind, an empty one lets the content.
        lang: Language of the summary.
        release: What they are for, such as ``axolotl@0.19.0``; by default that is recognised.

    Returns:
        What ``--json`` prints, and for each file that can be mended its text afterwards, with its
        line ends, and the name to save it under.
    """
    tool, _, version = release.partition("@")
    documents: list[ConfigDocument] = []
    raw: dict[int, str] = {}
    problems: list[ConfigError] = []
    for name, content in files:
        try:
            text = decoded(content, name)
            documents.append(parse(text, Path(name), tool, version or None))
            raw[id(documents[-1])] = content.decode("utf-8")
        except ConfigError as error:
            problems.append(error)
    report = check(documents)
    work_out(report.findings)
    for finding in report.findings:
        finding.diff = _titled(finding.diff, finding.document)
    mended = [
        _mended(document, raw[id(document)], fixed_text(report, document)) for document in documents
    ]
    return {
        **as_json(report, problems),
        "summary": summary(report, lang, on_page=True),
        "mended": [file for file in mended if file["diff"]],
    }


def _mended(document: ConfigDocument, raw: str, text: str) -> dict[str, str]:
    new = as_before(raw, text)
    return {
        "file": str(document.path),
        "name": _name(document),
        "kind": document.kind,
        "diff": _titled(unified(document, new, raw), document) if text != document.text else "",
        "text": new,
    }


def _titled(diff: str, document: ConfigDocument) -> str:
    """Let the diff of a pasted text speak of the file that it is saved as."""
    if str(document.path) != PASTED:
        return diff
    return diff.replace(f" ./{PASTED}\n", f" ./{_name(document)}\n", 2)


def _name(document: ConfigDocument) -> str:
    if str(document.path) != PASTED:
        return document.path.name
    return f"config.{_ENDINGS[document.kind]}"
