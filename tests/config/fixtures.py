"""The fixtures: for each rule one configuration that it is for, and one that it leaves alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from fixbook.config.check import Report

FOLDER = Path(__file__).parent / "fixtures"
# Fixtures of checks that are not rules of the rulebook, and the id that they report.
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
        tool: Tool with version where the rule is about another release than the newest.
    """

    name: str
    fails: Path
    passes: Path
    tool: str = ""

    @property
    def rule(self) -> str:
        return GENERIC.get(self.name, self.name)

    def report(self, path: Path) -> Report:
        tool, _, version = self.tool.partition("@")
        return check([read_file(path, tool, version or None)])


def fixtures() -> list[Fixture]:
    return [_fixture(folder) for folder in sorted(FOLDER.iterdir())]


def _fixture(folder: Path) -> Fixture:
    # Where a trainer's file comes with DeepSpeed's, the trainer's is the one to check.
    fails = min(folder.glob("fails.*"), key=lambda path: path.suffix == ".json")
    tool = folder / "tool"
    named = tool.read_text("utf-8").strip() if tool.is_file() else ""
    return Fixture(folder.name, fails, folder / f"passes{fails.suffix}", named)
