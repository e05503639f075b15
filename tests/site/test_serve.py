"""The local server and the command line."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from fixbook.book_root import BOOK_VARIABLE
from generator.__main__ import main
from generator.server import server
from generator.site import SiteError
from tests.site.small_book import write_book
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from pathlib import Path


def test_a_busy_port_is_said_before_anything_is_built(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(SiteError, match=f"port {port} is in use; .*--port {port + 1}"):
            server(tmp_path, port)
        result = CliRunner().invoke(main, ["serve", "--port", str(port), "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "is in use" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_missing_page_is_answered_in_its_language(address: str) -> None:
    for path, words in (("/zh/nothing/", "没有这个页面"), ("/en/x", "no such page"), ("/x", "404")):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(address + path)  # noqa: S310
        with caught.value as answer:
            assert answer.code == 404
            assert words in answer.read().decode()


def test_only_this_machine_can_reach_the_server(address: str) -> None:
    assert address.startswith("http://127.0.0.1:")


def test_render_prints_one_article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, str(write_book(tmp_path)))
    result = CliRunner().invoke(main, ["render", SLUG, "--lang", "zh", "--plain"])
    assert result.exit_code == 0
    assert result.output.startswith("# 部件撑破盒子")
    wrong = CliRunner().invoke(main, ["render", "raise-the-limits"])
    assert wrong.exit_code == 1
    assert f"did you mean {SLUG}" in wrong.output


def test_a_book_that_cannot_be_rendered_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, str(write_book(tmp_path / "book", evidence=False)))
    result = CliRunner().invoke(main, ["build", "--out", str(tmp_path / "site")])
    assert result.exit_code == 1
    assert (
        "cause.zh: {{too-large.size_bytes|gib}}: step 'too-large' has no evidence" in result.output
    )
    assert "--draft" in result.output, "how to see it nevertheless"
    assert not (tmp_path / "site").exists()
