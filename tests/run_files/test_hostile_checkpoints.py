"""Checkpoints of strangers: what lies, what is no data, what leads elsewhere, what is huge."""

from __future__ import annotations

import json
import os
import pickle
import resource
import struct
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
import torch

from fixbook.run_files.pickles import NoDataError, data_of
from fixbook.run_files.safetensors_files import UnreadableError, safetensors_in
from fixbook.run_files.torch_files import torch_tensors_in
from fixbook.run_files.walk import files_of
from tests.run_files.written import (
    judge,
    weights,
    write_dcp,
    write_safetensors,
)

if TYPE_CHECKING:
    from pathlib import Path


def header(said: Any, data: bytes = b"") -> bytes:
    text = said if isinstance(said, bytes) else json.dumps(said).encode()
    return struct.pack("<Q", len(text)) + text + data


def one(begin: int, end: int, shape: Any, kind: Any = "F32") -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 2**62) + b"{}",
        struct.pack("<Q", 10**6),
        header(b"[" * 100_000),
        header(b'{"a": ' * 20_000),
        header([1]),
        header({"a": 1}),
        header({"a": one(0, 4, [2])}, bytes(8)),
        header({"a": one(0, 4, [1]), "b": one(0, 4, [1])}, bytes(8)),
        header({"a": one(0, 4, [-1])}, bytes(8)),
        header({"a": one(0, 4, [1], "X")}, bytes(8)),
        header({"a": one(0, 4, [1], [])}, bytes(8)),
        header({"a": one(0, 4, [2**59] * 10_000)}, bytes(8)),
        header({"a": one(0, 4, "aaaa")}, bytes(8)),
        header({"a": one(0, 2**50, [2**48])}, bytes(8)),
        header({"a": {**one(0, 4, [1]), "data_offsets": [True, 4]}}, bytes(8)),
        header(b'{"a": ' + b"9" * 50_000 + b"}"),
        b"PK\x03\x04" + bytes(100),
    ],
)
def test_headers_that_lie(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with pytest.raises(UnreadableError):
        safetensors_in(path)


class Run:
    def __reduce__(self) -> tuple[Any, ...]:
        return (os.system, ("touch /tmp/fixbook-was-run",))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_nothing_in_a_pickle_is_called(protocol: int) -> None:
    values = (1, 2.5, None, True, "y", 2**70, b"x", {3})
    made = data_of(pickle.dumps([Run(), {"a": values}], protocol))
    assert made[0].by.endswith(".system")
    assert made[1]["a"][:6] == values[:6]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80",
        b"\x80\x00.",
        b"no pickle",
        pickle.dumps([1], 0),
        b"\x80\x02.",
        b"\x80\x02a.",
        b"\x80\x02](a.",
        b"\x80\x02]q\x00e.",
        b"\x80\x02h\x07.",
        b"\x80\x02X\xff\xff\xff\xff.",
        b"\x80\x04\x96" + struct.pack("<Q", 2**60) + b".",
        b"\x80\x04\x8d" + struct.pack("<Q", 2**60) + b".",
        b"\x80\x02T\xff\xff\xff\xff.",
        b"\x80\x02}" + b")\x85" * 200_000 + b"K\x01s.",
        b"\x80\x02N" + b"]" * 9 + b"u.",
        b"\x80\x02}K\x01K\x02K\x03u.",
        b"\x80\x02cos\nsystem",
        b"\x80\x04\x82\x01.",
    ],
)
def test_pickles_that_are_no_data(data: bytes) -> None:
    with pytest.raises(NoDataError):
        data_of(data)


def archive(
    path: Path, pickled: bytes, packed: int = zipfile.ZIP_STORED, data: bytes = b""
) -> None:
    with zipfile.ZipFile(path, "w", packed) as made:
        made.writestr("x/data.pkl", pickled)
        if data:
            made.writestr("x/data/0", data)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "pytorch_model.bin"
    archive(path, bytes(50_000_000), zipfile.ZIP_DEFLATED)
    with pytest.raises(UnreadableError, match="packed"):
        torch_tensors_in(path)


def test_a_directory_that_claims_gigabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "pytorch_model.bin"
    archive(path, b"\x80\x02N.")
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, len(data) - 22 + 12, 2**31)
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match="claims"):
        torch_tensors_in(path)


@pytest.mark.parametrize("name", ["data", "size", "many", "deep"])
def test_tensors_that_lie(tmp_path: Path, name: str) -> None:
    torch.save({"a": torch.zeros(4)}, tmp_path / "x.pt")
    with zipfile.ZipFile(tmp_path / "x.pt") as made:
        pickled = made.read("x/data.pkl")
    lies = {
        "data": pickled,  # of a storage that is not there
        "size": pickled.replace(b"K\x04\x85", b"K\x7f\x85"),
        "many": b"\x80\x02]" + b"]a" * 10 + b".",
        "deep": b"\x80\x02" + b"]" * 60 + b"a" * 59 + b".",
    }
    path = tmp_path / "pytorch_model.bin"
    archive(path, lies[name], data=b"" if name == "data" else bytes(16))
    if name == "many":
        assert torch_tensors_in(path) == []
        return
    with pytest.raises(UnreadableError):
        torch_tensors_in(path)


def test_shards_elsewhere_are_not_read(tmp_path: Path) -> None:
    write_dcp(tmp_path, weights())
    metadata = tmp_path / "shards/.metadata"
    said = metadata.read_bytes()
    name = b"__0_0.distcp"
    assert name in said
    metadata.write_bytes(said.replace(name, b"../../../etc"))
    notes: list[str] = []
    assert judge(tmp_path, notes) == []
    assert "elsewhere" in notes[0]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "run"
    outside.mkdir()
    root.mkdir()
    write_safetensors(outside, {"a.weight": torch.tensor([torch.nan])})
    (root / "model.safetensors").symlink_to(outside / "model.safetensors")
    (root / "checkpoint-5").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "trainer_state.json")
    assert files_of(root, []) == []


def test_twenty_gigabytes_take_little_memory(tmp_path: Path) -> None:
    """Sparse, so that they take no room on the disk; and only the first two are read here."""
    size = 20 * 10**9
    said = {"a.weight": one(0, size, [size // 4])}
    for number in (10, 20):
        folder = tmp_path / f"step_{number}"
        folder.mkdir()
        with (folder / "model.safetensors").open("wb") as opened:
            opened.write(header(said))
            opened.write(struct.pack("<f", number) if number == 20 else b"")
            opened.truncate(len(header(said)) + size)
    code = (
        "import sys; from pathlib import Path\n"
        "from fixbook.run_files.checkpoints import series_in, tensors_of\n"
        "from fixbook.run_files.tensors import equal, pieces\n"
        "from fixbook.run_files.walk import files_of\n"
        "root = Path(sys.argv[1]); (one, two), = series_in(root, files_of(root, []))\n"
        "mine, its = (tensors_of(x, [])['a.weight'] for x in (one, two))\n"
        "assert not equal(mine, its, lambda n: None)\n"
        "for number, _part in enumerate(pieces(mine)):\n"
        "    if number == 500: break\n"
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)),
    )
    assert int(ran.stdout) < 200 * 1024
