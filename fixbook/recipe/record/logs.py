"""The logs that must lead to an entry: quoted ones, and what its recorded steps printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import BookEntry, LogFile
    from fixbook.recipe.record.evidence import Evidence


def declared_logs(
    item: BookEntry, evidence: Mapping[str, Evidence]
) -> Iterator[tuple[LogFile, str]]:
    """Yield each log an entry declares, with its text.

    Args:
        item: The entry. A log whose file is missing, or whose step no machine has recorded, is
            left out: other gates report it.
        evidence: Its evidence by machine.
    """
    for log in item.entry.logs:
        path = item.folder / log.file if log.file else None
        if path and path.is_file():
            yield log, path.read_text("utf-8", errors="replace")
        elif log.step:
            records = (one.steps.get(log.step) for one in evidence.values())
            text = next((record.log for record in records if record and record.log), "")
            if text:
                yield log, text
