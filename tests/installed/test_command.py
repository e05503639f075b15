"""``fixbook audit`` as its readers use it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from fixbook.cli.audit import command
from fixbook.exits import DONE, FAILED, UNUSABLE

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

OLD = "axolotl==0.16.1\ntransformers==4.51.3\ntrl==0.17.0\nclick==8.2.0\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(
        command, [*map(str, arguments), "--lang", "en"], standalone_mode=False
    )


def data(*arguments: object) -> Any:
    return json.loads(run(*arguments).stdout)


def test_an_old_environment(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text(OLD)
    result = run(path)
    assert result.return_value == FAILED
    assert "axolotl 0.16.1:1: FSDP2 with LoRA" in result.stdout
    assert "free of it from 0.19.0 on" in result.stdout
    assert "{{" not in result.stdout
    (listed,) = data(path, "--json")["lists"]
    assert (listed["packages"], listed["in_the_book"]) == (4, 3)
    found = {(row["entry"], row["package"]): row for row in listed["findings"]}
    fsdp2 = found["fsdp2-meta-adapters-never-train", "axolotl"]
    assert (fsdp2["level"], fsdp2["first_fixed"], fsdp2["line"]) == ("warning", "0.19.0", 1)
    assert fsdp2["began"] == "read"


def test_what_nobody_has_to_change_is_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "freeze.txt"
    path.write_text("deepspeed==0.19.8\n")
    result = run(path)
    assert result.return_value == DONE
    assert "code written for earlier ones may fail" in result.stdout
    assert "no known defect found; 1 of 1 packages are in the book" in result.stdout


def test_one_list_that_is_wrong_does_not_end_the_others(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(OLD)
    bad.write_text("")
    result = run(bad, good)
    assert result.return_value == UNUSABLE
    assert f"{bad}: names no package" in result.stderr
    assert "axolotl 0.16.1" in result.stdout


def test_sarif_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "req uirements.txt"
    path.write_text("# first\n" + OLD)
    (made,) = data(path, "--sarif")["runs"]
    known = {rule["id"] for rule in made["tool"]["driver"]["rules"]}
    assert {one["ruleId"] for one in made["results"]} == known
    assert {one["level"] for one in made["results"]} <= {"warning", "note"}
    place = made["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("req%20uirements.txt")
    assert place["region"]["startLine"] > 1


def test_names_that_drive_a_terminal_do_not(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m.txt"
    path.write_text(OLD)
    assert "\x1b" not in run(path, path.with_name("b\x1b.txt")).output
