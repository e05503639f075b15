"""Logs in a store have the answers of the same logs on disk; moto stands in for S3."""

from __future__ import annotations

import gzip
import io
import os
import socket
import subprocess
import sys
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("moto")

from pyarrow import fs

from fixbook.cli import run_command
from fixbook.cli.triage import command
from fixbook.triage import remote
from fixbook.triage.queries import rows_of
from fixbook.triage.remote import StoreLostError
from fixbook.triage.remote_list import found_at
from fixbook.triage.remote_read import opened
from fixbook.triage.worker import Worker
from tests.test_triage import TWICE
from tests.waiting import LONG_S

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "logs/twice/attempt_0/0/stderr.log": b"NCCL watchdog: fine\n",
    "logs/twice/attempt_0/1/stderr.log": TWICE.encode(),
    "logs/odd b%20#?.log": b"step 1\n",
    "logs/packed.log.gz": gzip.compress(TWICE.encode()),
    "logs/torn.log.gz": gzip.compress(os.urandom(9000))[:20],
    "logs/model.safetensors": b"\0",
    "logs/.hidden": b"\0",
}
REFUSAL = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + LONG_S
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"127.0.0.1:{port}"
    server.kill()
    server.wait()


@pytest.fixture
def store(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{endpoint}",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "something",
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    remote.system.cache_clear()
    system = fs.S3FileSystem(
        endpoint_override=endpoint, scheme="http", region="us-east-1", allow_bucket_creation=True
    )
    system.create_dir("bucket")
    for name, content in FILES.items():
        put(system, name, content)
    return system


def put(system: Any, name: str, content: bytes) -> None:
    with system.open_output_stream(f"bucket/{name}", compression=None) as out:
        out.write(content)


def run(out: Path, *arguments: str) -> dict[str, str]:
    given = [*arguments, "--out", str(out), "--processes", "1", "--lang", "en"]
    assert run_command(command, given) == 0
    with rows_of(out) as rows:
        return {row["job"]: row["outcome"] for row in rows.ask("SELECT job, outcome FROM runs")}


def test_a_store_has_the_answers_of_a_folder(
    store: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in.log", TWICE)
    put(store, "logs/old.zip", packed.getvalue())
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "logs/old.zip").write_bytes(packed.getvalue())
    here = run(tmp_path / "here", str(tmp_path / "logs"))
    there = run(tmp_path / "there", "s3://bucket/logs")
    assert {name.removeprefix("bucket/"): outcome for name, outcome in there.items()} == here
    assert here["logs/twice"] == here["logs/old.zip/in.log"] == "entry"
    capsys.readouterr()
    assert run(tmp_path / "there", "s3://bucket/logs/") == there
    assert "6 logs read, 6 of them by an earlier run" in capsys.readouterr().out
    put(store, "logs/odd b%20#?.log", TWICE.encode())  # another one: it is read again
    assert run(tmp_path / "there", "s3://bucket/logs")["bucket/logs/odd b%20#?.log"] == "entry"
    store.delete_file("bucket/logs/old.zip")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("s3://bucket/logs/*.log", {"odd b%20#?.log"}),
        ("s3://bucket/logs/**/stderr.log", {"stderr.log"}),
        ("s3://bucket/logs/[pt]*.gz", {"packed.log.gz", "torn.log.gz"}),
        ("s3://bucket/logs/packed.log.gz", {"packed.log.gz"}),
    ],
)
@pytest.mark.usefixtures("store")
def test_a_pattern_and_a_single_file(pattern: str, found: set[str]) -> None:
    names = {one.name.rpartition("/")[2] for one in found_at(pattern, anonymous=True)}
    assert names == found


@pytest.mark.parametrize(
    ("address", "en", "zh"),
    [
        ("s3://nobody/x", "there is no such bucket", "没有这个存储桶"),
        ("s3://bucket/none", "does not exist", "不存在"),
        ("s3://", "names no bucket", "没有写存储桶"),
        ("s3://me:secret@bucket/x", "an address holds no password", "地址里不要写密码"),
        (
            "hdfs://nowhere/x",
            "needs Hadoop's own client and Java",
            "需要 Hadoop 自己的客户端和 Java",
        ),
        ("zzz://a/b", "this scheme is not known: zzz", "不支持这种地址：zzz"),
        ("file:///tmp/x", "this scheme is not known: file", "不支持这种地址：file"),
        ("abfs://a/b", "needs a package that is not installed", "需要一个未安装的包"),
    ],
)
@pytest.mark.usefixtures("store")
def test_what_is_wrong_with_an_address_is_said(
    address: str, en: str, zh: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, said in (("en", en), ("zh", zh)):
        arguments = [address, "--out", str(tmp_path / "out"), "--lang", lang]
        assert run_command(command, arguments) == 2
        told = capsys.readouterr().err
        assert said in told
        assert "secret" not in told


def test_without_fsspec_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(remote, "find_spec", lambda _name: None)
    assert run_command(command, ["sftp://a/b", "--out", str(tmp_path), "--lang", "en"]) == 2
    assert "triage,remote" in capsys.readouterr().err


def test_missing_credentials_are_said_and_how_to_give_them(
    store: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del store

    class Refuses(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(403)
            self.send_header("Content-Length", str(len(REFUSAL)))
            self.end_headers()
            self.wfile.write(REFUSAL if self.command == "GET" else b"")

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Refuses)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    remote.system.cache_clear()
    for lang, said in (("en", "access was refused"), ("zh", "访问被拒绝")):
        arguments = ["s3://bucket/logs", "--out", str(tmp_path), "--lang", lang]
        assert run_command(command, arguments) == 2
        told = capsys.readouterr().err
        assert said in told
        assert "AWS_ACCESS_KEY_ID" in told
        assert "--anonymous" in told
    server.shutdown()
    server.server_close()


def test_a_store_that_goes_away_ends_the_run_and_an_object_that_does_costs_itself(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "gone/a.log", TWICE.encode())
    put(store, "gone/b.log", TWICE.encode())
    (one, other) = sorted(one.place for one in found_at("s3://bucket/gone", anonymous=False))
    store.delete_file("bucket/gone/b.log")
    with pytest.raises(FileNotFoundError):
        opened(other)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
        remote.system.cache_clear()
        with pytest.raises(StoreLostError, match="NETWORK_CONNECTION"):
            opened(one)
        worker = Worker(tmp_path, text=True)
        from fixbook.triage.listing import Job, Log  # noqa: PLC0415
        from fixbook.triage.scheduler import Meta  # noqa: PLC0415

        job = Job("a", 0, (Log(one, "", "a.log", 9, 0.0, None, "", ""),), Meta())
        with pytest.raises(StoreLostError):  # not written as an answer that stays
            worker.row(job)
    remote.system.cache_clear()


def test_other_schemes_are_read_by_fsspec() -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/logs/a.log", TWICE.encode())
    (found,) = found_at("memory://logs", anonymous=False)
    with opened(found.place) as raw:
        assert raw.read() == TWICE.encode()
