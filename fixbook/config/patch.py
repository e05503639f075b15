"""Carry out the fixes of findings on a file's text, and show what changed."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config import patch_spans, patch_yaml
from fixbook.config.edit import CannotMendError, applied
from fixbook.config.patch_verify import verify
from fixbook.config.write import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.config.finding import Finding
    from fixbook.config.setting import ConfigDocument, Section

_MOST_READ = 1_000_000  # characters of a file that are read again to mend it: seconds


class Affordable:
    """How much of each file may still be read again to mend it.

    For each mend the whole file is read again, so that many mends of a large file would take hours.
    """

    def __init__(self) -> None:
        self._left: dict[str, int] = {}

    def of(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield those that have a mend, as many as there is time for; the others say so."""
        for finding in findings:
            if not finding.fix:
                continue
            name = str(finding.document.path)
            left = self._left.get(name, _MOST_READ)
            self._left[name] = left - len(finding.document.text)
            if left <= 0:
                finding.not_fixed, finding.fix = CannotMendError("many").reason, []
            else:
                yield finding


def mended(
    document: ConfigDocument, findings: Iterable[Finding], affordable: Affordable | None = None
) -> tuple[str, list[Finding]]:
    """Return the text with the findings mended, and the findings whose mend was applied.

    One finding after the other: a mend that cannot be made leaves the others alone, and its
    finding says why.

    Args:
        document: The file.
        findings: Of that file.
        affordable: What is left for it, where it is mended in several rounds.
    """
    now = document
    done: list[Finding] = []
    for finding in (affordable or Affordable()).of(findings):
        index = document.sections.index(finding.section)
        try:
            after = _carried_out(now, now.sections[index], finding.fix)
        except CannotMendError as error:
            finding.not_fixed = error.reason
            continue
        if after.text != now.text:
            now = after
            done.append(finding)
    return now.text, done


def apply(document: ConfigDocument, section: Section, operations: list[dict[str, Any]]) -> str:
    """Apply operations to one section: all of them, or none.

    Raises:
        CannotMendError: One of them cannot be applied here without changing more than it should.
    """
    return _carried_out(document, section, operations).text


def _carried_out(
    document: ConfigDocument, section: Section, operations: list[dict[str, Any]]
) -> ConfigDocument:
    index = document.sections.index(section)
    for operation in operations:
        document = _one(document, document.sections[index], operation)
    return document


def _one(document: ConfigDocument, section: Section, operation: dict[str, Any]) -> ConfigDocument:
    """Try the ways to carry out an operation until one changes what it should and nothing else."""
    if document.kind == "yaml":
        ways = patch_yaml.edits(document.text, section, operation)
    else:
        ways = patch_spans.edits(document, section, operation)
    refused = CannotMendError("unread")
    for edits in ways:
        text = applied(document.text, edits)
        if not document.text.endswith("\n"):  # where the last line goes, so does the one before it
            text = text.rstrip("\n")
        try:
            return verify(document, section, operation, text)
        except CannotMendError as error:
            refused = error
    raise refused


def work_out(findings: Iterable[Finding]) -> None:
    """Give every finding that can be mended its diff; take the mend from one that cannot."""
    for finding in Affordable().of(findings):
        text, done = mended(finding.document, [finding])
        finding.diff = unified(finding.document, text)
        if not done:
            finding.fix = []


def unified(document: ConfigDocument, text: str, before: str | None = None) -> str:
    """Return the unified diff from a document to a new text, that `patch` and `git` take.

    Args:
        document: The file.
        text: Its new text.
        before: Its text as it is on disk, where line ends matter; by default the document's.
    """
    old, new = (lines_of(item) for item in (document.text if before is None else before, text))
    path = document.path
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    # `patch -p0` strips nothing, `git apply` the first part; a tab ends a name with spaces in it.
    name = f"./{path.as_posix().lstrip('/')}" + "\t" * (" " in str(path))
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(old, new, name, name)
    )
