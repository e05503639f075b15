"""What is said of GPUs, driver and toolkit is what made-up ones say of themselves."""

from __future__ import annotations

import ctypes
import os
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psutil
import pytest

from fixbook.environment import GIB, gpus
from fixbook.machine import cuda
from fixbook.machine.bounded import Unknown

if TYPE_CHECKING:
    from pathlib import Path


def _smi(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_gpus_as_nvidia_smi_lists_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "echo 'NVIDIA H200, 143771, 550.90.07, 9.0'\n"
    _smi(tmp_path, line + line, monkeypatch)
    assert cuda.gpus() == {
        "gpus.count": 2,
        "gpus.names": ["NVIDIA H200"] * 2,
        "gpus.memory_mib": [143771] * 2,
        "gpus.capabilities": ["9.0"] * 2,
        "cuda.driver": "550.90.07",
    }


def test_a_driver_that_knows_no_capability(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = 'case "$1" in *compute_cap*) exit 2;; esac; echo "Tesla V100, [N/A], 470.57.02"'
    _smi(tmp_path, script, monkeypatch)
    found = cuda.gpus()
    assert (found["gpus.count"], found["gpus.capabilities"]) == (1, None)
    assert found["gpus.memory_mib"] == [None]


def test_a_driver_that_does_not_answer_is_unknown_and_not_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "Failed to initialize NVML: Driver/library version mismatch"
    _smi(tmp_path, f"echo '{said}'; exit 18", monkeypatch)
    assert cuda.gpus()["gpus.count"] == Unknown("failed", f"nvidia-smi: {said}")


def test_a_library_without_a_release_in_its_name_is_unknown_and_not_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: None)
    assert isinstance(cuda.library()["cuda.library"], str | Unknown)
    monkeypatch.undo()
    assert cuda.library()["cuda.library"] != ""


@pytest.mark.parametrize(
    ("script", "free_gib"),
    [
        ("echo 'NVIDIA H200, 143771, 2048, 550.90.07'", [2.0]),
        ("echo 'NVIDIA GB10, [N/A], [N/A], 580.95.05'", [3.0]),
        ("echo 'No devices were found'; exit 6", []),
        ("echo 'a, line'", []),
    ],
)
def test_gpus_that_steps_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, free_gib: list[float]
) -> None:
    host = SimpleNamespace(total=8 * GIB, available=3 * GIB)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: host)
    _smi(tmp_path, script, monkeypatch)
    assert [gpu.free_gib for gpu in gpus()] == free_gib


def test_a_gpu_without_nvidia_smi_is_not_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(cuda, "module", lambda: {"gpus.nodes": 8})
    assert isinstance(cuda.gpus()["gpus.count"], Unknown)
    monkeypatch.setattr(cuda, "module", lambda: {"gpus.nodes": 0})
    assert cuda.gpus()["gpus.count"] == 0


@pytest.mark.parametrize(
    ("capability", "architectures", "covered"),
    [
        ("9.0", "sm_80 sm_90", True),
        ("8.9", "sm_80 sm_86", True),
        ("8.0", "sm_86", False),
        ("12.0", "sm_80 sm_90", False),
        ("12.0", "sm_90 compute_90", True),
        ("10.3", "sm_100", True),
        ("9.0", "sm_90a", True),
        ("10.3", "sm_100a", False),
        ("10.3", "sm_100f", True),
        ("7.0", "sm_75 sm_80 compute_120", False),
        ("12.0", "", False),
    ],
)
def test_what_runs_on_a_gpu(capability: str, architectures: str, covered: bool) -> None:  # noqa: FBT001
    found = cuda.uncovered(["A", "B"], [capability, "[N/A]"], architectures.split())
    assert found == ([] if covered else [f"A (sm_{capability.replace('.', '')})"])


def test_toolkit_is_looked_for_as_torch_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "cuda"
    (home / "bin").mkdir(parents=True)
    nvcc = home / "bin" / "nvcc"
    nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.10, V12.10.1'\n", "utf-8")
    nvcc.chmod(0o755)
    monkeypatch.setenv("CUDA_PATH", str(home))
    assert cuda.toolkit() == {
        "cuda.home": str(home),
        "cuda.home_by": "CUDA_PATH",
        "cuda.nvcc": "12.10",
        "cuda.nvcc_major": 12,
    }
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert cuda.toolkit()["cuda.nvcc"] is None
    monkeypatch.delenv("CUDA_HOME")
    monkeypatch.delenv("CUDA_PATH")
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert cuda.toolkit()["cuda.home_by"] == "nvcc"
