"""What people send us: a report, redacted, in the form that fits it, at one setting's address."""

from __future__ import annotations

import getpass
import platform
import socket
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from fixbook.cli.diagnose import command
from fixbook.log.report import FIELDS, log_in, sections
from fixbook.log.words import words_of
from fixbook.problem import BookError
from fixbook.repository import (
    MOST_ADDRESS,
    REPOSITORY_VARIABLE,
    edit_address,
    issue_address,
    repository,
)
from tests.test_exception import FRAMES


def test_a_report_hides_who_made_it_and_describes_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REPOSITORY_VARIABLE, "")
    monkeypatch.setattr(getpass, "getuser", lambda: "alice")
    monkeypatch.setattr(socket, "gethostname", lambda: "zeus")
    log = tmp_path / "job.log"
    log.write_text(
        "alice starts on zeus, user alice, for user bob on node17\n"
        f"{FRAMES}ValueError: alice: adapter 7 is not loaded\n",
        "utf-8",
    )
    told = CliRunner().invoke(
        command, ["--report", str(log), "--lang", "zh"], standalone_mode=False
    )
    found = sections(told.stdout)
    assert list(found) == list(FIELDS)
    assert found["answer"].startswith("未能识别")
    assert platform.machine() in found["hardware"]
    assert "pydantic" in found["versions"]
    for name in ("alice", "bob", "zeus", "node17"):
        assert name not in told.output
    assert "adapter 7 is not loaded" in log_in(found["log"])
    assert told.stderr.strip().count("\n") == 0  # and no address: there is no repository


def test_forms_have_the_fields_that_a_report_fills_in() -> None:
    folder = Path(__file__).parent.parent / ".github/ISSUE_TEMPLATE"
    for form in ("not-recognised", "wrong-match"):
        rows = yaml.safe_load((folder / f"{form}.yml").read_text("utf-8"))["body"]
        fields = {row["id"]: row["attributes"]["label"] for row in rows if "id" in row}
        assert list(fields) == list(FIELDS)
        for name, label in fields.items():
            assert label == " · ".join(words_of(lang)[f"report_{name}"] for lang in ("en", "zh"))
        issue = "".join(f"### {label}\n\nsaid in {name}\n\n" for name, label in fields.items())
        assert sections(issue) == {name: f"said in {name}" for name in FIELDS}


def test_an_issue_is_never_too_long_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPOSITORY_VARIABLE, "")
    assert issue_address("new-entry", "t", {}) == edit_address("x") == ""
    for named in (
        *("acme/fixbook", "example.org/a/b", "https://example.org", "ftp://example.org/a/b"),
        *(
            "https://example.org/a",
            "https://ann:secret@example.org/a/b",
            "https://example.org/a b/c",
        ),
    ):
        monkeypatch.setenv(REPOSITORY_VARIABLE, named)
        with pytest.raises(BookError, match="https://"):
            issue_address("new-entry", "t", {})
    monkeypatch.setenv(REPOSITORY_VARIABLE, "https://example.org/a/b.git/")
    long = issue_address("not-recognised", "t", {"versions": "torch 2", "log": "显存" * 20_000})
    assert len(long) <= MOST_ADDRESS
    assert long.startswith("https://example.org/a/b/issues/new?template=not-recognised.yml&title=t")
    assert "versions=torch%202&log=%E6%98%BE" in long


def test_the_repository_is_one_line_of_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(REPOSITORY_VARIABLE, raising=False)
    assert repository(tmp_path) == ""
    (tmp_path / "repository.txt").write_text("# why\nhttps://example.org/a/b\n", "utf-8")
    assert edit_address("recipes/x/entry.yaml", tmp_path) == (
        "https://example.org/a/b/edit/main/recipes/x/entry.yaml"
    )
    (tmp_path / "repository.txt").write_text("acme/fixbook\n", "utf-8")
    with pytest.raises(BookError, match=r"repository\.txt"):
        repository(tmp_path)
    assert repository()  # that of this checkout is an address
