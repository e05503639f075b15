"""The book in one file: it shows itself with Python alone, and refuses what is none of it."""

from __future__ import annotations

import contextlib
import http.client
import subprocess
import sys
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from fixbook.bundle.archive import SITE, Archive, ArchiveError, server
from fixbook.cli import cli, run_command
from generator.exports.archive import pack_archive
from generator.exports.takeaway import TakeawayError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def packed(small_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "fixbook.pyz"
    assert pack_archive(small_site, path) == path.stat().st_size
    return path


@contextlib.contextmanager
def answering(path: Path) -> Iterator[http.client.HTTPConnection]:
    with server(Archive(path), 0) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        connection = http.client.HTTPConnection("127.0.0.1", listening.server_address[1])
        yield connection
        connection.close()
        listening.shutdown()
        thread.join()


def asked(connection: http.client.HTTPConnection, path: str, **headers: str) -> tuple[int, bytes]:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_every_file_of_the_site_comes_out_as_it_was_built(packed: Path, small_site: Path) -> None:
    with answering(packed) as connection:
        for path in small_site.rglob("*"):
            if path.is_file():
                name = path.relative_to(small_site).as_posix()
                assert asked(connection, f"/{name}") == (200, path.read_bytes())
        assert asked(connection, "/en/")[1] == (small_site / "en/index.html").read_bytes()
        assert asked(connection, "/en")[0] == 301
        missing = asked(connection, "/zh/no-such-page/")
        assert missing == (404, (small_site / "zh/404.html").read_bytes())
        assert asked(connection, "/../__main__.py")[0] == 404
        assert asked(connection, "/%00")[0] == 404
        assert asked(connection, "/", Host="elsewhere.test")[0] == 421


def test_python_alone_runs_it_and_writes_the_wheels(packed: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-I", "-S", str(packed), "--wheels", str(tmp_path / "wheels")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    names = {path.name.partition("-")[0] for path in (tmp_path / "wheels").glob("*.whl")}
    assert {"fixbook", "click", "pydantic"} <= names
    assert "--no-index" in ended.stdout


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_archive_is_said_to_be_none(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.pyz"
    path.write_bytes(content)
    assert run_command(cli, ["serve", str(path), "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "wrong.pyz" in said
    assert run_command(cli, ["serve", str(tmp_path / "none.pyz"), "--no-browser"]) == 2


def test_damaged_file_costs_itself_and_not_the_server(packed: Path, tmp_path: Path) -> None:
    raw = bytearray(packed.read_bytes())
    with zipfile.ZipFile(packed) as archive:
        at = archive.getinfo(f"{SITE}en/index.html").header_offset
    raw[at + 60 : at + 160] = b"\0" * 100
    damaged = tmp_path / "damaged.pyz"
    damaged.write_bytes(raw)
    with answering(damaged) as connection:
        assert asked(connection, "/en/")[0] == 500
        assert asked(connection, "/zh/")[0] == 200


def test_port_that_is_taken_is_named(packed: Path) -> None:
    with server(Archive(packed), 0) as first:
        port = first.server_address[1]
        with pytest.raises(ArchiveError, match=f"port {port} is in use"):
            server(Archive(packed), port)


def test_nothing_is_packed_without_a_site(tmp_path: Path) -> None:
    with pytest.raises(TakeawayError, match="holds no built site"):
        pack_archive(tmp_path, tmp_path / "fixbook.pyz")
    assert not (tmp_path / "fixbook.pyz").exists()
