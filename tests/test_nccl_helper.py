"""Ranks of NCCL without a GPU: what is replaced, what stays, and how each rank ended."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.author.skip import Skipped
from fixbook.recipe.helpers import NcclEnd, NcclRank, NoStandInError, nccl_ranks
from fixbook.recipe.helpers.nccl.build import CALLS, NVML, stand_in_below_nccl
from fixbook.recipe.helpers.nccl.replace import functions, replace
from fixbook.recipe.running.overlays import has_overlay, overlay

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = ["nvidia-nccl-cu13==2.29.7"]
installed = pytest.mark.skipif(not has_overlay(RELEASE), reason="this NCCL was never recorded here")

INSIDE = """
static __attribute__((noinline)) int cudaGetDeviceCount(int *count) {
  for (int at = 0; at < 3; at++) *(volatile int *)count = -at;
  return 999;
}
static __attribute__((noinline)) int cudaOfNobody(volatile int *count) {
  for (int at = 0; at < 3; at++) *count = at;
  return 998;
}
static __attribute__((noinline)) int cudabbage(volatile int *count) {
  for (int at = 0; at < 3; at++) *count = at;
  return 997;
}
int gpus(void) { int count; return cudaGetDeviceCount(&count) ? -1 : count; }
int others(void) { int count; return cudaOfNobody(&count); }
int vegetables(void) { int count; return cudabbage(&count); }
"""


def compiled(folder: Path, source: str) -> Path:
    target = folder / "libinside.so"
    flags = ["-O1", "-fno-inline", "-shared", "-fPIC", "-o", str(target), "-x", "c", "-"]
    subprocess.run(["cc", *flags], input=source, text=True, check=True)
    return target


@pytest.fixture
def below(tmp_path: Path) -> Path:
    try:
        return stand_in_below_nccl(tmp_path / "cache")
    except NoStandInError as reason:
        pytest.skip(str(reason))


def test_calls_inside_a_library_become_those_of_the_stand_in(
    tmp_path: Path, below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIXBOOK_GPU_COUNT", "5")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    library = compiled(tmp_path, INSIDE)
    loaded = ctypes.CDLL(str(library))
    assert (loaded.gpus(), loaded.others(), loaded.vegetables()) == (-1, 998, 997)
    assert replace(library, loaded, "gpus", ctypes.CDLL(str(below / CALLS))) == 2
    assert (loaded.gpus(), loaded.others(), loaded.vegetables()) == (5, 0, 997)


def test_the_number_of_a_gpu_is_that_of_the_machine(
    below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIXBOOK_GPU_COUNT", "4")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    calls = ctypes.CDLL(str(below / CALLS))
    buses = []
    for device in range(2):
        text = ctypes.create_string_buffer(20)
        assert calls.nccl_cudaDeviceGetPCIBusId(text, 20, device) == 0
        buses.append(text.value)
    assert buses == [b"0000:13:00.0", b"0000:11:00.0"]
    assert calls.nccl_cudaDeviceGetPCIBusId(text, 20, 2) == 101


def test_libraries_without_cuda_inside_are_refused(tmp_path: Path, below: Path) -> None:
    library = compiled(tmp_path, "int gpus(void) { return 1; }")
    with pytest.raises(NoStandInError, match="no CUDA runtime is linked into"):
        replace(library, ctypes.CDLL(str(library)), "gpus", ctypes.CDLL(str(below / CALLS)))
    pointer = tmp_path / "pointer.so"
    pointer.write_text("a pointer of Git LFS")
    with pytest.raises(NoStandInError, match="not a 64-bit ELF library"):
        functions(pointer)


def test_what_is_compiled_once_is_kept_and_a_lack_is_said(
    tmp_path: Path, below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sorted(file.name for file in below.iterdir()) == [CALLS, NVML]
    monkeypatch.setattr(subprocess, "run", None)
    assert stand_in_below_nccl(tmp_path / "cache") == below
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(NoStandInError, match="cc is not installed"):
        stand_in_below_nccl(tmp_path / "cache")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(NoStandInError, match="not for aarch64"):
        stand_in_below_nccl(tmp_path / "cache")


def test_warnings_begin_with_the_file_of_the_source() -> None:
    line = "[2026-01-01 00:00:00] box:7:7 [0] misc/a.cc:1 NCCL WARN it [x] broke"
    end = NcclEnd(2, "", "", 0.0, ("NCCL version 2.29.7", line))
    assert end.warnings == ["misc/a.cc:1 NCCL WARN it [x] broke"]


def test_without_a_package_that_brings_nccl_the_step_is_skipped(
    below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert below.is_dir()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(Skipped, match=r"none of the packages brings libnccl\.so\.2"):
        nccl_ranks(NcclRank())


def library() -> Path:
    folder = overlay(RELEASE)
    assert folder
    return folder / "nvidia/nccl/lib/libnccl.so.2"


@installed
def test_two_ranks_join_and_two_on_one_gpu_do_not() -> None:
    """Sound ranks first, as a stand-in that breaks everything would show any failure."""
    first, second = (NcclRank(device, library=library()) for device in (0, 1))
    ends = nccl_ranks(first, second)
    assert [(end.code, end.error) for end in ends] == [(0, "no error")] * 2
    assert ends[0].lines[0].startswith("NCCL version 2.29.7")
    ends = nccl_ranks(first, first)
    assert [end.code for end in ends] == [5, 5]
    assert "both on CUDA device 10000" in ends[1].warnings[-1]
    assert ends[1].last in ends[1].warnings[-1]


@installed
def test_a_rank_that_waits_and_one_that_dies_are_told_apart() -> None:
    nowhere = {"NCCL_SOCKET_IFNAME": "fixbook9"}
    ends = nccl_ranks(NcclRank(0, nowhere, library()), NcclRank(1, library=library()))
    assert [end.code for end in ends] == [5, None]
    assert ends[1].seconds < 15
    dying = NcclRank(0, library=library(), before=lambda: sys.exit("gone"))
    with pytest.raises(RuntimeError, match="rank 0 ended before NCCL returned"):
        nccl_ranks(dying)
