"""The release that a reader has is looked up once, and again when what names it has changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fixbook.config import pins

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

LOCK = 'name = "trl"\nversion = "{}"\n'


def test_a_lock_is_read_once_for_all_files_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    lock = tmp_path / "uv.lock"
    lock.write_text(LOCK.format("1.8.0"), "utf-8")
    asked: list[str] = []
    named = pins._named

    def counted(name: str, text: str) -> list[tuple[str, str]]:
        asked.append(name)
        return named(name, text)

    monkeypatch.setattr(pins, "_named", counted)
    for name in ("a.yaml", "b.yaml"):
        assert pins.pins(tmp_path / name)["trl"].release == "1.8.0"
    assert asked == ["uv.lock"]
    lock.write_text(LOCK.format("1.9.0"), "utf-8")
    os.utime(lock, ns=(0, 0))
    assert pins.pins(tmp_path / "a.yaml")["trl"].release == "1.9.0"
    assert asked == ["uv.lock", "uv.lock"]
