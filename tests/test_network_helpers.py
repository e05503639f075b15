"""The helpers with which recipes serve and listen, each seen to do what it says."""

from __future__ import annotations

import os
import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.helpers import free_port, listens, local_http, local_hub, run_python

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def test_files_are_served_and_others_are_not_found() -> None:
    with local_http({"/config.json": '{"a": 1}'}) as address:
        with urllib.request.urlopen(f"{address}/config.json?x=1") as answer:  # noqa: S310
            assert answer.read() == b'{"a": 1}'
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/other")  # noqa: S310


def test_a_handler_answers_as_it_likes() -> None:
    def refuse(
        method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        sent = f"{method} {path} {body!r} {headers['Authorization']}"
        return 401, {"X-Error-Code": "GatedRepo"}, sent.encode()

    with local_http(refuse) as address:
        asked = urllib.request.Request(f"{address}/api", b"x", {"Authorization": "Bearer y"})  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(asked)  # noqa: S310
    with caught.value as error:
        assert error.code == 401
        assert error.headers["X-Error-Code"] == "GatedRepo"
        assert error.read() == b"POST /api b'x' Bearer y"


def test_a_hub_serves_a_folder_refuses_and_knows_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    (tmp_path / "config.json").write_text('{"a": 1}')

    def gate(token: str) -> Path | tuple[int, dict[str, str], bytes]:
        return tmp_path if token else (403, {"X-Error-Code": "GatedRepo"}, b"")

    at = "http://hub.test/team/%s/resolve/main/%s"
    with local_hub({"team/open": tmp_path, "team/gated": gate}) as asked:
        through = urllib.request.build_opener(
            urllib.request.ProxyHandler({"http": os.environ["HTTP_PROXY"]})
        )
        with through.open(at % ("open", "config.json")) as answer:
            assert answer.read() == b'{"a": 1}'
        for repo, name, code in (
            ("open", "other.json", "EntryNotFound"),
            ("gated", "config.json", "GatedRepo"),
            ("none", "config.json", "RepoNotFound"),
        ):
            with pytest.raises(urllib.error.HTTPError) as caught:
                through.open(at % (repo, name))
            with caught.value as error:
                assert error.headers["X-Error-Code"] == code
    assert asked[0] == "GET /team/open/resolve/main/config.json"
    assert "HTTP_PROXY" not in os.environ


def test_hosts_meet_in_a_network_of_their_own() -> None:
    code = """
import socket
from fixbook.recipe.helpers import on_hosts, until

def serve():
    with socket.create_server(("10.77.0.1", 4000)) as server:
        connection, _ = server.accept()
        connection.sendall(socket.gethostbyname(socket.gethostname()).encode())

def ask():
    found = []
    def connected():
        try:
            found.append(socket.create_connection(("10.77.0.1", 4000)))
        except OSError:
            return False
        return True
    until(connected)
    print(found[0].recv(20).decode(), found[0].getsockname()[0], flush=True)

print(on_hosts(serve, ask, lambda: 1 / 0))
"""
    done = run_python(code)
    if "this machine forbids" in done.stdout or "'ip' is missing" in done.stdout:
        pytest.skip("no network namespaces here")
    assert "127.0.0.1 10.77.0.2" in done.stdout
    assert done.stdout.splitlines()[-1] == "[0, 0, 1]"


def test_a_free_port_is_listened_to_by_nobody() -> None:
    port = free_port()
    assert not listens(port)
    with socket.create_server(("127.0.0.1", port)):
        assert listens(port)
        assert free_port() != port
