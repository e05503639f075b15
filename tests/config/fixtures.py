"""The fixtures: for each rule one configuration that it is for, and one that it leaves alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.read import read_file
from tests.real_book import real_book

if TYPE_CHECKING:
    from fixbook.config.check import Report

# Those of checks that are no rules, and the id that they report.
FOLDER = Path(__file__).parent / "fixtures"
GENERIC = {
    "unknown-key": "unknown-key",
    "deepspeed-unknown-section": "unknown-key",
    "refused-value": "refused-value",
    "repeated-key": "repeated-key",
}


@dataclass(frozen=True)
class Fixture:
    """A rule with its two configurations.

    Attributes:
        name: The rule's id.
        fails: The configuration that it reports.
        passes: The configuration that it does not.
    """

    name: str
    fails: Path
    passes: Path

    @property
    def rule(self) -> str:
        return GENERIC.get(self.name, self.name)

    def report(self, path: Path) -> Report:
        return check([read_file(path)])


@cache
def fixtures() -> list[Fixture]:
    ruled = [_fixture(name, item.folder) for name, item in real_book().rules.items()]
    return [*ruled, *(_fixture(folder.name, folder) for folder in sorted(FOLDER.iterdir()))]


def fixture(name: str) -> Fixture:
    return next(item for item in fixtures() if item.name == name)


def _fixture(name: str, folder: Path) -> Fixture:
    # Where a trainer's file comes with DeepSpeed's, the trainer's is the one to check.
    fails = min(folder.glob("fails.*"), key=lambda path: path.suffix == ".json")
    return Fixture(name, fails, folder / f"passes{fails.suffix}")
