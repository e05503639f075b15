"""Apply the mends of findings to a file's text, and write it."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.config.finding import Finding
    from fixbook.config.setting import Document, Section


class CannotMendError(Exception):
    """An edit cannot be made without a person; the message says why."""


def mended(document: Document, findings: Iterable[Finding]) -> tuple[str, list[Finding]]:
    """Return the text with the findings mended, and the findings whose mend was applied.

    One finding after the other: a mend that cannot be made leaves the others alone.
    """
    from fixbook.config.read import parse  # noqa: PLC0415

    text = document.text
    applied: list[Finding] = []
    for finding in findings:
        if not finding.fix:
            continue
        index = document.sections.index(finding.section)
        now = parse(text, document.path) if applied else document
        if index >= len(now.sections):
            continue
        section = now.sections[index]
        try:
            changed = apply(now, section, finding.fix)
        except CannotMendError:
            continue
        if changed != text:
            text = changed
            applied.append(finding)
    return text, applied


def apply(document: Document, section: Section, operations: list[dict[str, Any]]) -> str:
    """Apply operations to one section.

    Raises:
        CannotMendError: One of them cannot be applied here.
    """
    if document.kind == "yaml":
        from fixbook.config.patch_yaml import edited  # noqa: PLC0415  (ruamel is slow to import)

        return edited(document.text, section, operations)
    from fixbook.config.patch_spans import edited as spans_edited  # noqa: PLC0415

    return spans_edited(document, section, operations)


def work_out(findings: Iterable[Finding]) -> None:
    """Give every finding that can be mended its diff; take the mend from one that cannot."""
    for finding in findings:
        text, applied = mended(finding.document, [finding])
        finding.diff = unified(finding.document, text)
        if not applied:
            finding.fix = []


def unified(document: Document, text: str) -> str:
    """Return the unified diff from a document to a new text."""
    before = document.text.splitlines(keepends=True)
    after = text.splitlines(keepends=True)
    lines = difflib.unified_diff(before, after, f"a/{document.path}", f"b/{document.path}")
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


def write(path: Path, text: str) -> None:
    """Replace a file at once, keeping its mode, byte order mark and line ends.

    Raises:
        ConfigError: It is a symbolic link, is read-only, or cannot be replaced; nothing is written.
    """
    if path.is_symlink():
        raise ConfigError(str(path), "link", target=path.resolve())
    old = path.read_bytes()
    mode = path.stat().st_mode
    if not mode & 0o222:
        raise ConfigError(str(path), "read-only", path=path)
    raw = text.replace("\n", "\r\n").encode() if b"\r\n" in old else text.encode()
    raw = b"\xef\xbb\xbf" + raw if old.startswith(b"\xef\xbb\xbf") else raw
    import tempfile  # noqa: PLC0415  (slow to import, and most checks write nothing)

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode & 0o7777)
        Path(name).replace(path)
    except OSError as error:
        raise ConfigError(str(path), "unwritable", reason=error.strerror) from None
