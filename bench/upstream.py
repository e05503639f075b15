"""The example configurations of other projects: which they are, and what is found in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

JUDGED = Path(__file__).parent / "upstream.yaml"
WRITTEN, NEWEST = "written for", "newest"
_KINDS = {".yaml", ".yml", ".json", ".sh", ".py"}
# Tests hold configurations that are wrong on purpose; the rest is not for training.
_SKIPPED = {"test", "tests", "tests_v1", "unit", "i18n", "locales", "webui", "node_modules"}
_HIDDEN = {".git", ".github"}

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository whose examples are checked.

    Attributes:
        name: Owner and name.
        commit: The commit that was judged.
        releases: The releases its examples were written for, by tool; of others, the newest.
        right: Why a finding is right, by file, rule and key.
    """

    name: str
    commit: str
    releases: dict[str, str]
    right: dict[Key, str]


@dataclass(slots=True)
class Found:
    """A finding in an example.

    Attributes:
        repository: Owner and name.
        file: Path in the repository.
        line: Where.
        tool: Whose configuration it is.
        rule: What reported it.
        key: The setting.
        message: What was found.
        right: Why it is right; empty if nobody has judged it.
        severity: By what the file was checked for, `WRITTEN` or `NEWEST`.
    """

    repository: str
    file: str
    line: int
    tool: str
    rule: str
    key: str
    message: str
    right: str = ""
    severity: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """What was read and found.

    Attributes:
        files: Paths with a section for the tool, by tool.
        findings: In the order of repositories and files.
        unreadable: Files that are not what their name says.
        gone: Judgements without a finding.
        missing: Repositories that are not in the folder.
    """

    files: dict[str, list[str]] = field(default_factory=dict)
    findings: list[Found] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def new(self) -> list[Found]:
        """The findings that nobody has judged."""
        return [finding for finding in self.findings if not finding.right]


def repositories(path: Path = JUDGED) -> list[Repository]:
    """Read the list of repositories, with what was found in them and judged."""
    rows: list[dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))
    return [
        Repository(
            row["repository"],
            row["commit"],
            {tool: str(version) for tool, version in row.get("releases", {}).items()},
            {
                (file, item["rule"], key): item["why"]
                for item in row.get("right", [])
                for file, keys in item["at"].items()
                for key in keys
            },
        )
        for row in rows
    ]


def examine(folder: Path, listed: list[Repository]) -> Outcome:
    """Check what is there of the repositories listed."""
    outcome = Outcome()
    for repository in listed:
        root = folder / repository.name
        if not root.is_dir():
            outcome.missing.append(repository.name)
            continue
        found: dict[Key, Found] = {}
        for path in _configurations(root):
            _one(repository, root, path, outcome, found)
        outcome.findings += found.values()
        outcome.gone += [
            f"{repository.name}/{file}: {rule} {key}"
            for file, rule, key in repository.right.keys() - found.keys()
        ]
    return outcome


def _configurations(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        folders = set(path.relative_to(root).parts)
        generated = path.name.startswith("_generated")
        if path.suffix in _KINDS and not folders & (_SKIPPED | _HIDDEN) and not generated:
            yield path


def _one(
    repository: Repository, root: Path, path: Path, outcome: Outcome, found: dict[Key, Found]
) -> None:
    file = path.relative_to(root).as_posix()
    try:
        document = read_file(path)
    except ConfigError:
        outcome.unreadable.append(f"{repository.name}/{file}")
        return
    for tool in sorted({section.tool for section in document.sections} - {"", "ray"}):
        outcome.files.setdefault(tool, []).append(f"{repository.name}/{file}")
    # What a file itself says of its release stands, so the newest comes first.
    for when, releases in ((NEWEST, {}), (WRITTEN, repository.releases)):
        for section in document.sections:
            stated = section.schema.version or releases.get(section.tool)
            section.schema = section.schema.at(stated)
        for item in check([document]).findings:
            key = (file, item.rule, item.setting.key)
            row = found.setdefault(
                key,
                Found(
                    repository=repository.name,
                    file=file,
                    line=item.setting.key_place.line,
                    tool=item.section.tool,
                    rule=item.rule,
                    key=item.setting.key,
                    message=item.text("en"),
                    right=repository.right.get(key, ""),
                ),
            )
            row.severity[when] = item.severity
