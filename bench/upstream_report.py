"""Check the example configurations of other projects.

    scripts/check-upstream-configs FOLDER [--json FILE] [--write]

FOLDER holds checkouts, as OWNER/NAME, of repositories that ``bench/upstream.yaml`` lists. Their
examples are known to run, so a finding there is right, and worth a report to them, or a mistake
of ours. That list says why each one is right. The command fails if a finding is not on it, and
if one that is on it has gone.

Each file is checked twice: for the releases that the examples were written for, and for the
newest, which is what somebody gets who names no version.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from bench.checking_page import write_pages
from bench.upstream import JUDGED, NEWEST, WRITTEN, Outcome, examine, repositories
from fixbook.config.finding import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def lines(outcome: Outcome) -> Iterator[str]:
    """Say what was found: each finding, then one line for each tool."""
    for row in outcome.findings:
        severity = " / ".join(f"{name} ({when})" for when, name in sorted(row.severity.items()))
        yield f"{row.repository}/{row.file}:{row.line}: {row.rule}: {row.message}"
        yield f"    {severity}; " + (
            f"right: {row.right}" if row.right else "NEW: nobody judged it"
        )
    yield from (f"{name}: judged, but not found any more" for name in sorted(outcome.gone))
    yield ""
    for tool, files in sorted(outcome.files.items()):
        rows = [row for row in outcome.findings if row.tool == tool]
        hit = len({(row.repository, row.file) for row in rows})
        yield f"{tool}: {len(files)} files, {hit} with findings"
        for when in (WRITTEN, NEWEST):
            severities = [row.severity[when] for row in rows if when in row.severity]
            yield f"    {when}: {_counts(severities)}"
        for rule, count in sorted(Counter(row.rule for row in rows).items()):
            yield f"    {count} {rule}"
    whole = len({file for files in outcome.files.values() for file in files})
    yield f"{whole} files in all; {len(outcome.unreadable)} more could not be read"
    yield f"{len(outcome.findings)} findings, {len(outcome.new)} of them new"
    yield from (f"{name} is not in the folder" for name in outcome.missing)


def _counts(severities: Iterable[str]) -> str:
    counts = Counter(severities)
    return ", ".join(f"{counts[name]} {name}s" for name in SEVERITIES)


def main() -> None:
    """Print the report; end with 1 if a finding is new or a judgement has no finding."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there as well")
    parser.add_argument("--write", action="store_true", help="write docs/*/checking.md")
    arguments = parser.parse_args()
    listed = repositories()
    outcome = examine(arguments.folder, listed)
    print("\n".join(lines(outcome)))
    if arguments.json:
        arguments.json.write_text(json.dumps(asdict(outcome), indent=1) + "\n", "utf-8")
    if arguments.write:
        write_pages(outcome, listed, JUDGED.parent.parent / "docs")
    if outcome.new or outcome.gone:
        sys.exit("mend the rule or the key table, or say in bench/upstream.yaml why it is right")
