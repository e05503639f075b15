"""How much of ordinary logs the redaction of reports takes out: they should stay readable.

    python -m bench.redaction

Prints, for the logs of the entries and for the healthy ones, the share of lines that change, the
share of characters that go, and the log that loses most.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from bench.healthy_logs import healthy_logs
from fixbook.book_root import book_root
from fixbook.log.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONG = 2000  # characters; of longer lines the part between what is the same at both ends counts


def gone(before: str, after: str) -> int:
    """Return how many characters of a line are not in the other, in their order."""
    if before == after:
        return 0
    start = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    left, right = before[start:], after[start:]
    if len(left) > _LONG:
        return len(left)
    kept = difflib.SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return len(left) - sum(block.size for block in kept)


def measured(text: str) -> tuple[int, int, int, int, list[str]]:
    """Return lines, changed lines, characters, characters that go, and examples of one log."""
    before, after = text.split("\n"), redact(text).split("\n")
    if len(before) != len(after):  # a secret of several lines became one
        return len(before), len(before), len(text), gone(text, "\n".join(after)), []
    pairs = list(zip(before, after, strict=True))
    changed = [f"{a.strip()[:90]}\n      → {b.strip()[:90]}" for a, b in pairs if a != b]
    return len(pairs), len(changed), len(text), sum(gone(a, b) for a, b in pairs), changed


def report(title: str, logs: Iterable[tuple[str, str]]) -> None:
    """Measure logs and print."""
    rows = [(name, *measured(text)) for name, text in logs]
    lines, changed = sum(row[1] for row in rows), sum(row[2] for row in rows)
    size, lost = sum(row[3] for row in rows), sum(row[4] for row in rows)
    if not size:
        print(f"{title}: none here")
        return
    worst = max(rows, key=lambda row: row[4] / max(1, row[3]))
    print(
        f"{title}: {len(rows)} logs, {lines} lines, {size} characters\n"
        f"  lines changed {changed / lines:.2%}, characters gone {lost / size:.2%}; "
        f"most {worst[4] / worst[3]:.1%} in {worst[0]}"
    )
    for example in [example for row in rows for example in row[5][:1]][:: max(1, len(rows) // 9)]:
        print(f"    {example}")


def main() -> None:
    """Measure and print."""
    paths = sorted(book_root().glob("recipes/*/logs/*"))
    report("entries", ((path.name, path.read_text("utf-8", "replace")) for path in paths))
    report("healthy", healthy_logs())


if __name__ == "__main__":
    main()
