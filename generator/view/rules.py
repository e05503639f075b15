"""What the pages of rules on configurations show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.patch import work_out
from fixbook.config.read import read_file
from fixbook.config.tools import EVERY, machine
from fixbook.problem import BookError, Problem
from fixbook.text import _
from generator.text.guard import guard, guarded
from generator.text.markup import inline

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import BookRule
    from fixbook.config.finding import Finding
    from generator.text.strings import Words

_LANGUAGES = {".py": "python", ".sh": "bash", ".json": "json"}


@dataclass(frozen=True, slots=True)
class Fixture:
    """A configuration that a page shows.

    Attributes:
        name: Its file name.
        language: What it is written in, for highlighting.
        text: Its text.
    """

    name: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """What the pages of a rule show, in either language.

    Attributes:
        item: The rule with its place in the book.
        finding: What a check reports of its failing fixture.
        fails: The configuration that it reports.
        passes: One that it leaves alone.
        others: Files that these two name.
    """

    item: BookRule
    finding: Finding
    fails: Fixture
    passes: Fixture
    others: list[Fixture] = field(default_factory=list)

    @property
    def tools(self) -> list[tuple[str, str]]:
        """Label and range of each tool; an empty range means every version."""
        return [(label_of(name), clauses) for name, clauses in self.item.rule.tools.items()]

    @property
    def of_machine(self) -> bool:
        """Whether it is about a machine and not about a configuration."""
        return machine.TOOL.name in self.item.rule.tools

    @property
    def diff(self) -> str:
        """What mends the failing fixture, without the names of the files and the places in them."""
        lines = self.finding.diff.splitlines(keepends=True)[2:]
        return "".join(line for line in lines if not line.startswith("@@"))

    def proof(self, words: Words) -> str:
        """Say who was asked about the two fixtures, and what was seen."""
        proof = guarded(self.item.rule.proof)
        who = words(f"prover_{proof.by.replace('-', '_')}", step=proof.step or "")
        if proof.by == "machine":
            return words("rule_proof_state", who=who, seen=inline(proof.says))
        for name in ("says", "warns", "drops", "unset"):
            if seen := getattr(proof, name):
                return words(f"rule_proof_{name}", who=who, seen=inline(seen))
        if proof.key:
            return words("rule_proof_is", who=who, seen=f"{proof.key}={proof.is_}")
        return words("rule_proof_step", who=who)


def rule_view(item: BookRule) -> RuleView:
    """Check the failing fixture of a rule and gather what its pages show.

    Raises:
        BookError: A fixture is missing, or is not reported by the rule.
    """
    fails, passes = item.fixture("fails"), item.fixture("passes")
    if fails is None or passes is None:
        mend = _(
            "add fails.* and passes.*: a configuration that it reports, and one that it does not"
        )
        raise BookError([Problem(str(item.folder), _("has no fixtures"), mend)])
    report = check([read_file(fails)], [item.row()])
    found = [one for one in report.findings if one.rule == item.rule.id]
    if not found:
        mend = _("correct the rule's condition, or the fixture")
        what = _("is not reported by {rule}").format(rule=item.rule.id)
        raise BookError([Problem(str(fails), what, mend)])
    work_out(found[:1])
    beside = [path for path in sorted(item.folder.iterdir()) if _is_other(path)]
    return RuleView(
        item, _guarded(found[0]), _read(fails), _read(passes), [_read(path) for path in beside]
    )


def label_of(tool: str) -> str:
    """Return what a tool, or one of its schemas, is called on pages."""
    name, _, schema = tool.partition("/")
    label = EVERY[name].label if name in EVERY else name
    return guard(f"{label} {schema}".strip())


def _guarded(found: Finding) -> Finding:
    setting = replace(found.setting, path=guarded(found.setting.path))
    message, why = guarded(found.message), guarded(found.why)
    mend = guarded(found.mend)
    return replace(found, setting=setting, message=message, why=why, mend=mend)


def _is_other(path: Path) -> bool:
    return path.is_file() and path.stem not in {"rule", "fails", "passes"}


def _read(path: Path) -> Fixture:
    language = _LANGUAGES.get(path.suffix, "yaml")
    return Fixture(guard(path.name), language, path.read_text("utf-8").rstrip("\n"))
