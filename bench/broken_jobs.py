"""Jobs of four ranks of which one fails for a cause without an entry: is its error the headline?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.healthy_logs import healthy_logs

if TYPE_CHECKING:
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.finder import Finder

ARCHIVE = Path(__file__).parent.parent / "tests" / "jobs" / "broken.tar.zst"
EXPECTED = ARCHIVE.with_name("broken.json")


@dataclass(frozen=True, slots=True)
class BrokenJob:
    """What is to be found in the log of a job.

    Attributes:
        name: Name of the job and of its log.
        rank: The rank that failed.
        text: The line that its exception was printed as.
        function: The function of the job's own code in which it was raised; empty if no
            traceback is printed.
    """

    name: str
    rank: int
    text: str
    function: str


def broken_jobs() -> list[BrokenJob]:
    """Read what the jobs recorded."""
    return [BrokenJob(**row) for row in json.loads(EXPECTED.read_text("utf-8"))]


def logs() -> dict[str, str]:
    """Read the logs by the name of their job."""
    return dict(healthy_logs(ARCHIVE))


def is_right(job: BrokenJob, text: str, diagnosis: Diagnosis) -> bool:
    """Tell whether the headline is the line of the rank that failed.

    Args:
        job: What is to be found.
        text: The log.
        diagnosis: What was found in it.
    """
    said = diagnosis.best or diagnosis.exception  # a job whose cause has got an entry since
    if said is None:
        return False
    printed = text.split("\n")[said.line.number - 1]
    same = said.line.rank == job.rank and said.line.text.strip() == job.text
    return same and job.text.split()[0] in printed


def measure(diagnoser: Finder) -> dict[str, Any]:
    """Count the jobs whose headline is right, and those that name the user's own function."""
    texts = logs()
    wrong, function = [], 0
    for job in broken_jobs():
        diagnosis = diagnoser.diagnosis(texts[job.name])
        if not is_right(job, texts[job.name], diagnosis):
            wrong.append(job.name)
        card = diagnosis.exception
        named = card.user.function if card and card.user else ""
        function += named == job.function
    return {"jobs": len(texts), "wrong": wrong, "function": function}
