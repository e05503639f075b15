"""Checkpoints as torch and safetensors write them, and what is no checkpoint."""

from __future__ import annotations

import json
import os
import pickle
import resource
import struct
import subprocess
import sys
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint.state_dict_saver import save as save_shards

from fixbook.run_files.checkpoints import series_in, tensors_of
from fixbook.run_files.numbers import PIECE, WIDTHS, not_finite
from fixbook.run_files.pickles import NoDataError, data_of
from fixbook.run_files.safetensors_files import UnreadableError, safetensors_in
from fixbook.run_files.tensors import pieces
from fixbook.run_files.torch_files import torch_tensors_in
from fixbook.run_files.walk import files_of
from fixbook.run_files.weights import judge_weights

KINDS = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F8_E5M2": torch.float8_e5m2,
    "F8_E4M3": torch.float8_e4m3fn,
}


def weights(seed: int = 0) -> dict[str, torch.Tensor]:
    torch.manual_seed(seed)
    return {"a.weight": torch.randn(7, 5), "b.weight": torch.randn(3).to(torch.bfloat16)}


def judge(root: Path, notes: list[str] | None = None) -> list[str]:
    told: list[str] = [] if notes is None else notes
    series = series_in(root, files_of(root, told))
    return [one.rule for some in series for one in judge_weights(some, told, lambda _n: None)]


def write_safetensors(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    save_file(tensors, folder / "model.safetensors")


def write_bin(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    torch.save(OrderedDict(tensors), folder / "pytorch_model.bin")


def write_loop(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    state = {"step": 3, "optim": torch.optim.AdamW([torch.zeros(1)]).state_dict()}
    model = {name: one.t() for name, one in tensors.items()}
    torch.save({"model": model, **state}, folder / "s.pt")


def write_dcp(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is but one process
        save_shards({"model": tensors, "step": 3}, checkpoint_id=folder / "shards", no_dist=True)


Write = Callable[[Path, dict[str, torch.Tensor]], None]
WRITERS = [write_safetensors, write_bin, write_loop, write_dcp]


@pytest.mark.parametrize("write", WRITERS)
def test_each_format(tmp_path: Path, write: Write) -> None:
    nan = weights(1) | {"b.weight": torch.tensor([1.0, float("nan"), 2.0])}
    runs = {"sound": (weights(0), weights(1)), "still": (weights(0), weights(0)), "nan": (nan, nan)}
    for name, states in runs.items():
        for number, state in zip((10, 20), states, strict=True):
            folder = tmp_path / name / f"step_{number}"
            folder.mkdir(parents=True)
            write(folder, state)
    notes: list[str] = []
    found = {name: judge(tmp_path / name, notes) for name in runs}
    assert found == {"sound": [], "still": ["weights-equal"], "nan": ["weights-not-finite"]}
    assert notes == []


@pytest.mark.parametrize("write", WRITERS)
def test_each_format_cut_short(tmp_path: Path, write: Write) -> None:
    write(tmp_path, weights() | {"c.weight": torch.randn(300, 300)})
    largest = max(files_of(tmp_path, []), key=lambda path: path.stat().st_size)
    whole = largest.read_bytes()
    for part in (0.0, 0.01, 0.5, 0.999):
        largest.write_bytes(whole[: int(len(whole) * part)])
        notes: list[str] = []
        assert judge(tmp_path, notes) == []
        assert len(notes) == 1, part
        assert "not read" in notes[0]


def test_bytes_are_those_of_the_tensor(tmp_path: Path) -> None:
    base = torch.randn(30, 20)
    saved = {"base": base, "part": base[3:5], "turned": base.t(), "none": torch.zeros(0)}
    saved |= {name: torch.zeros(3).to(kind) for name, kind in KINDS.items()}
    torch.save(saved | {"parameter": torch.nn.Parameter(base)}, tmp_path / "x.pt")
    found = {one.name: one for one in torch_tensors_in(tmp_path / "x.pt")}
    assert b"".join(pieces(found["part"])) == base[3:5].numpy().tobytes()
    assert b"".join(pieces(found["turned"])) == base.numpy().tobytes()
    assert found["none"].size == 0
    assert {name: found[name].kind for name in KINDS} == {name: name for name in KINDS}
    assert found["parameter"].size == 2400


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_that_are_none(kind: str) -> None:
    for size in (8, 64, 4096, PIECE):
        data = bytearray(os.urandom(size))
        tensor = torch.frombuffer(data, dtype=KINDS[kind]).double()
        wanted = (int(tensor.isnan().sum()), int(tensor.isinf().sum()))
        assert not_finite(bytes(data), kind) == wanted
    assert not_finite(bytes(PIECE), kind) == (0, 0)
    assert not_finite(b"\xff" * WIDTHS[kind], kind)[0] == 1


def test_whole_numbers_are_always_finite() -> None:
    assert not_finite(b"\xff" * 64, "I64") == (0, 0)


@pytest.mark.parametrize(
    ("steps", "rules"), [((8, 10), []), ((5, 8), ["weights-equal"]), ((4, 6, 7), ["weights-equal"])]
)
def test_checkpoints_too_near_each_other_are_not_compared(
    tmp_path: Path, steps: tuple[int, ...], rules: list[str]
) -> None:
    for step in steps:
        (tmp_path / f"step_{step}").mkdir()
        write_safetensors(tmp_path / f"step_{step}", weights())
    assert judge(tmp_path) == rules


@pytest.mark.parametrize(("step", "rules"), [(1, []), (9, []), (10, ["lora-b-zero"])])
def test_a_lora_may_be_zero_in_its_first_steps(tmp_path: Path, step: int, rules: list[str]) -> None:
    folder = tmp_path / f"step_{step}"
    folder.mkdir()
    adapter = {"q.lora_A.weight": torch.randn(2, 4), "q.lora_B.weight": torch.zeros(4, 2)}
    save_file(adapter, folder / "adapter_model.safetensors")
    assert judge(tmp_path) == rules


def test_infinity_in_a_mask_is_no_finding(tmp_path: Path) -> None:
    save_file({"attn.mask": torch.tensor([0.0, -torch.inf])}, tmp_path / "model.safetensors")
    assert judge(tmp_path) == []


def test_the_masters_of_zero_are_weighed(tmp_path: Path) -> None:
    for step, value in ((10, 1.0), (20, 1.0)):
        folder = tmp_path / f"checkpoint-{step}" / f"global_step{step}"
        folder.mkdir(parents=True)
        torch.save({"module": {}}, folder / "zero_pp_rank_0_mp_rank_00_model_states.pt")
        state = {"fp32_flat_groups": [torch.full((9,), value)], "state": torch.full((9,), step)}
        saved = {"optimizer_state_dict": state}
        torch.save(saved, folder / "zero_pp_rank_0_mp_rank_00_optim_states.pt")
    assert judge(tmp_path) == ["weights-equal"]


def test_a_folder_that_is_a_checkpoint_itself(tmp_path: Path) -> None:
    write_safetensors(tmp_path, {"a.weight": torch.tensor([torch.nan])})
    (series,) = series_in(tmp_path, files_of(tmp_path, []))
    assert list(tensors_of(series[0], [])) == ["a.weight"]
    assert judge(tmp_path) == ["weights-not-finite"]


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
