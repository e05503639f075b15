"""The local server and the command line."""

from __future__ import annotations

import contextlib
import socket
import threading
import urllib.error
import urllib.request
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from fixbook.book_root import BOOK_VARIABLE
from generator.__main__ import main
from generator.browser import python as browser_python
from generator.site import build as site
from generator.site.build import SiteError
from generator.site.server import server
from generator.site.watch import Changes
from generator.view.library import load_library
from tests.fuzz.requests import exchange
from tests.site.conftest import served
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


@pytest.mark.parametrize(
    ("host", "answered"),
    [("evil.example:8000", False), ("127.0.0.1.evil.example", False), ("localhost:8000", True)],
)
def test_another_name_that_leads_here_gets_nothing(
    address: str, host: str, *, answered: bool
) -> None:
    request = urllib.request.Request(f"{address}/en/", headers={"Host": host})  # noqa: S310
    if answered:
        with urllib.request.urlopen(request) as page:  # noqa: S310
            assert page.status == HTTPStatus.OK
    else:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)  # noqa: S310
        assert refused.value.code == HTTPStatus.MISDIRECTED_REQUEST
        refused.value.close()


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


REQUESTS = {
    b"GET": b"400",
    b"": b"",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n": b"400",  # TLS, to a server without it
    b"GET / HTTP/9.9\r\n\r\n": b"505",
    b"BREW / HTTP/1.0\r\n\r\n": b"501",
    b"G" * 70_000 + b" / HTTP/1.0\r\n\r\n": b"",  # longer than it reads
    b"GET / HTTP/1.0\r\n" + b"a: b\r\n" * 200 + b"\r\n": b"431",
    b"GET /%00 HTTP/1.0\r\n\r\n": b"404",
    b"HEAD /%00 HTTP/1.0\r\n\r\n": b"404",
    b"GET /" + b"a" * 300 + b".html HTTP/1.0\r\n\r\n": b"404",
    b"GET /../../etc/passwd HTTP/1.0\r\n\r\n": b"404",
    b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.0\r\n\r\n": b"404",
}


@pytest.mark.parametrize("changes", [Changes(), None], ids=["live", "plain"])
@pytest.mark.parametrize("request_", REQUESTS)
def test_a_malformed_request_gets_an_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], request_: bytes, changes: Changes | None
) -> None:
    (tmp_path / "index.html").write_text("<p>page</p>", "utf-8")
    with served(tmp_path, changes) as address:
        port = int(address.rpartition(":")[2])
        assert REQUESTS[request_] in exchange(port, request_)
        assert b"<p>page</p>" in exchange(port, b"GET / HTTP/1.0\r\n\r\n")
    assert capfd.readouterr().err == ""


def test_many_clients_may_wait_at_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>page</p>", "utf-8")
    with contextlib.ExitStack() as held, server(tmp_path, 0) as listening:
        at = listening.server_address[1]
        waiting = [
            held.enter_context(socket.create_connection(("127.0.0.1", at), 5)) for _ in range(200)
        ]  # before any is accepted
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        for client in waiting:
            client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        for client in waiting:
            with client.makefile("rb") as answer:
                assert answer.read().endswith(b"<p>page</p>")
        listening.shutdown()
        thread.join()


def test_a_missing_runtime_is_said_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_python, "_RUNTIME", tmp_path / "node_modules/pyodide")
    monkeypatch.setattr(site, "build_language", lambda *_: pytest.fail("a language was built"))
    write_book(tmp_path / "book")
    with pytest.raises(SiteError, match="scripts/install-javascript installs it"):
        site.build_site(load_library(tmp_path / "book"), tmp_path / "site")


@pytest.mark.parametrize("command", ["build", "serve"])
def test_a_missing_runtime_is_said_before_the_book_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(browser_python, "_RUNTIME", tmp_path / "node_modules/pyodide")
    monkeypatch.setattr("generator.__main__.load_library", lambda **_: pytest.fail("it was read"))
    done = CliRunner().invoke(main, ["--lang", "en", command, "--out", str(tmp_path / "site")])
    assert done.exit_code != 0
    assert "pyodide.mjs is missing; scripts/install-javascript installs it" in done.output
    assert not (tmp_path / "site").exists()
