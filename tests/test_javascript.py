"""npm installs where something is missing, and never through a link into another checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts/install-javascript"
NPM = """#!/bin/sh
echo "$@" >> npm-was-asked
"""
Package = dict[str, object]
ACROSS: Package = {"version": "1.0.0", "integrity": "sha512-a"}
CHECKS: Package = {"version": "2.0.0", "integrity": "sha512-b", "dev": True}
ELSEWHERE: Package = {"version": "3.0.0", "integrity": "sha512-c", "optional": True}
LOCK: dict[str, Package] = {
    "": {},
    "node_modules/a": ACROSS,
    "node_modules/b": CHECKS,
    "node_modules/c": ELSEWHERE,
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with a lock file, and a npm that writes down what it is asked."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/npm").write_text(NPM, "utf-8")
    (tmp_path / "bin/npm").chmod(0o755)
    write(tmp_path / "package-lock.json", LOCK)
    (tmp_path / "node_modules").mkdir()
    return tmp_path


def write(path: Path, packages: dict[str, Package]) -> None:
    path.write_text(json.dumps({"packages": packages}), "utf-8")


def install(checkout: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return subprocess.run(
        [sys.executable, SCRIPT, *options],
        cwd=checkout,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def asked(checkout: Path) -> list[str]:
    said = checkout / "npm-was-asked"
    return said.read_text("utf-8").splitlines() if said.exists() else []


@pytest.mark.parametrize("changed", [{}, {"node_modules/a": ACROSS | {"integrity": "sha512-x"}}])
def test_what_is_missing_or_another_is_installed(
    checkout: Path, changed: dict[str, Package]
) -> None:
    write(checkout / "node_modules/.package-lock.json", changed)
    assert install(checkout).returncode == 0
    (command,) = asked(checkout)
    assert command.split()[:2] == ["ci", "--omit=dev"]


def test_what_is_there_is_left_alone(checkout: Path) -> None:
    write(checkout / "node_modules/.package-lock.json", {"node_modules/a": ACROSS})
    assert install(checkout).returncode == 0
    assert asked(checkout) == []


def test_what_checks_scripts_is_installed_besides(checkout: Path) -> None:
    write(checkout / "node_modules/.package-lock.json", {"node_modules/a": ACROSS})
    assert install(checkout, "--with-dev").returncode == 0
    (command,) = asked(checkout)
    assert command.split()[0] == "ci"
    assert "--omit=dev" not in command
    write(checkout / "node_modules/.package-lock.json", LOCK)
    install(checkout, "--with-dev")
    assert len(asked(checkout)) == 1


def test_nothing_is_installed_through_a_link(checkout: Path) -> None:
    theirs = checkout / "theirs"
    (checkout / "node_modules").rename(theirs)
    (checkout / "node_modules").symlink_to(theirs)
    done = install(checkout)
    assert done.returncode == 1
    assert asked(checkout) == []
    assert str(checkout) in done.stderr
    assert "lacks 1 packages" in done.stderr
    write(theirs / ".package-lock.json", {"node_modules/a": ACROSS})
    assert install(checkout).returncode == 0


def test_a_wrong_option_is_named(checkout: Path) -> None:
    done = install(checkout, "--dev")
    assert done.returncode == 2
    assert "--dev" in done.stderr
