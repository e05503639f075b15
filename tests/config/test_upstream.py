"""The sweep over other projects' examples, on a small one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.collected import LIST as COLLECTED
from bench.upstream import JUDGED, NEWEST, WRITTEN, examine, repositories
from bench.upstream_report import lines
from fixbook.config.rules import rules
from tests.config.fixtures import GENERIC

if TYPE_CHECKING:
    from pathlib import Path

LIST = """\
- repository: some/recipes
  commit: abc
  releases: {trl: 0.19.1}
  right:
    - {rule: trl-renamed, why: it was dropped, at: {old.yaml: [max_seq_length], gone.yaml: [bf16]}}
- {repository: some/other, commit: def}
"""
TRAINER = "output_dir: x\nlearning_rate: 1.0e-4\nmax_steps: 10\npacking: true\n"


def test_findings_are_judged_new_or_gone(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text(LIST, "utf-8")
    root = tmp_path / "some" / "recipes"
    (root / "tests").mkdir(parents=True)
    (root / "old.yaml").write_text(f"{TRAINER}max_seq_length: 8\n", "utf-8")
    (root / "both.yaml").write_text(f"{TRAINER}max_length: 8\nfp16: true\nbf16: true\n", "utf-8")
    (root / "tests" / "wrong.yaml").write_text(f"{TRAINER}max_seq_length: 8\n", "utf-8")
    (root / "data.json").write_text("[1, 2]", "utf-8")
    outcome = examine(tmp_path, repositories(tmp_path / "list.yaml"))
    assert [(row.file, row.severity, row.right) for row in outcome.findings] == [
        ("both.yaml", {NEWEST: "error", WRITTEN: "error"}, ""),
        ("old.yaml", {NEWEST: "error"}, "it was dropped"),
    ]
    assert [row.file for row in outcome.new] == ["both.yaml"]
    assert outcome.gone == ["some/recipes/gone.yaml: trl-renamed bf16"]
    assert outcome.missing == ["some/other"]
    assert outcome.files == {"trl": ["some/recipes/both.yaml", "some/recipes/old.yaml"]}
    assert outcome.unreadable == ["some/recipes/data.json"]
    said = "\n".join(lines(outcome))
    assert "NEW: nobody judged it" in said
    assert "    written for: 1 errors, 0 warnings, 0 notes" in said


def test_list_is_sorted_and_names_rules_that_exist() -> None:
    listed = repositories()
    names = [repository.name for repository in listed]
    assert names == sorted(names)
    known = set(rules()) | set(GENERIC.values())
    for repository in listed:
        assert repository.commit
        assert {rule for _, rule, _ in repository.right} <= known
        assert all(repository.right.values())
    other = repositories(COLLECTED)
    assert not {item.name for item in other} & set(names)
    generic = known | {"cut-command", "import-gone", "import-not-yet"}
    assert {rule for item in other for _, rule, _ in item.right} <= generic
    assert max(map(len, JUDGED.read_text("utf-8").splitlines())) < 400
