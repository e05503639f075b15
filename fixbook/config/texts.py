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

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.config.setting import ConfigDocument
    from fixbook.languages import Lang


def check_texts(
    files: Iterable[tuple[str, bytes]], lang: Lang, release: str = ""
) -> dict[str, Any]:
    """Check texts together, as ``fixbook check --json`` does files.

    Args:
        files: Name and content of each; the name tells the kind, an empty one lets the content.
        lang: Language of the summary.
        release: What they are for, such as ``axolotl@0.19.0``; by default that is recognised.

    Returns:
        What ``--json`` prints, and for each file that can be mended its text afterwards.
    """
    tool, _, version = release.partition("@")
    documents: list[ConfigDocument] = []
    problems: list[ConfigError] = []
    for name, content in files:
        try:
            text = decoded(content, name)
            documents.append(parse(text, Path(name), tool, version or None))
        except ConfigError as error:
            problems.append(error)
    report = check(documents)
    work_out(report.findings)
    mended = [_mended(document, fixed_text(report, document)) for document in documents]
    return {
        **as_json(report, problems),
        "summary": summary(report, lang),
        "mended": [file for file in mended if file["diff"]],
    }


def _mended(document: ConfigDocument, text: str) -> dict[str, str]:
    diff = unified(document, text)
    return {"file": str(document.path), "kind": document.kind, "diff": diff, "text": text}
