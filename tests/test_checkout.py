"""Authors write in the checkout they stand in; the book of an installation is read only."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fixbook import book_root as places
from fixbook.book_root import BOOK_VARIABLE, checkout
from fixbook.problem import BookError

ROOT = Path(__file__).resolve().parent.parent


def _book(root: Path) -> Path:
    for name in ("recipes", "rules", "symptoms"):
        (root / name).mkdir(parents=True)
    return root


def test_a_checkout_is_found_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BOOK_VARIABLE, raising=False)
    mine, other = _book(tmp_path / "mine"), _book(tmp_path / "other")
    deep = mine / "recipes/some-failure/configs"
    deep.mkdir(parents=True)
    assert checkout(deep) == checkout(mine) == mine
    assert checkout(tmp_path) == ROOT  # beside any: that of this package
    monkeypatch.setenv(BOOK_VARIABLE, str(other))
    assert checkout(deep) == other


def test_the_book_of_an_installation_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(BOOK_VARIABLE, raising=False)
    monkeypatch.setattr(places, "book_root", lambda: ROOT / "fixbook/_book")
    with pytest.raises(BookError, match="clone the repository"):
        checkout(tmp_path)


def test_the_wheel_reads_its_book_and_writes_in_a_clone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path / "installed")
    assert not [name for name in names if name.startswith(("generator", "tests"))]
    assert "fixbook/_book/repository.txt" in names
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    env.pop(BOOK_VARIABLE, None)

    def fixbook(*arguments: str, stood: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fixbook", *arguments]
        return subprocess.run(
            command, cwd=stood, env=env, capture_output=True, text=True, check=False
        )

    assert "tokenizer-pad-missing" in fixbook("list", stood=tmp_path).stdout
    for asked in (
        ("new", "some-failure"),
        ("new", "--rule", "vllm", "vllm-of-mine"),
        ("prove", "tokenizer-pad-missing"),
        ("verify", "--record", "tokenizer-pad-missing"),
    ):
        told = fixbook(*asked, stood=tmp_path)
        assert told.returncode == 2, asked
        assert "clone the repository" in told.stderr, asked
    clone = _book(tmp_path / "clone")
    (clone / "slugs.txt").write_text("", "utf-8")
    assert fixbook("new", "some-failure", stood=clone / "recipes").returncode == 0
    assert (clone / "recipes/some-failure/entry.yaml").is_file()
