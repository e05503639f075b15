"""Checkpoints as torch and safetensors write them, and what is no checkpoint."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import torch
from safetensors.torch import save_file

from fixbook.run_files.checkpoints import series_in, tensors_of
from fixbook.run_files.numbers import PIECE, WIDTHS, not_finite
from fixbook.run_files.tensors import pieces
from fixbook.run_files.torch_files import torch_tensors_in
from fixbook.run_files.walk import files_of
from tests.run_files.written import (
    WRITERS,
    Write,
    judge,
    weights,
    write_safetensors,
)

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F8_E5M2": torch.float8_e5m2,
    "F8_E4M3": torch.float8_e4m3fn,
}


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
