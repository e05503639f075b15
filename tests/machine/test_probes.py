"""What probes say of this machine is what it says by other ways; of made-up ones, what they are."""

from __future__ import annotations

import importlib.metadata
import os
import resource
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.machine import around, host, software
from fixbook.machine.bounded import Unknown
from fixbook.machine.report import PROBES, is_key, keys, report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def seen() -> dict[str, object]:
    found: dict[str, object] = {}
    for probe in PROBES:
        found |= probe.ask()
    return found


def test_probes_say_what_they_declare_and_nothing_else(seen: dict[str, object]) -> None:
    declared = [key for probe in PROBES for key in probe.keys]
    assert len(declared) == len(set(declared))
    for probe in PROBES:
        said = probe.ask()
        assert set(probe.keys) <= set(said)
        assert all(is_key(key) for key in said)
    assert set(seen) <= set(declared) | {key for key in seen if is_key(key)}


def test_this_machine_as_it_says_itself(seen: dict[str, object]) -> None:
    assert seen["packages.packaging"] == importlib.metadata.version("packaging")
    assert seen["limits.nofile"] == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert seen["system.kernel"] == os.uname().release
    assert seen["disks.cwd.total_mib"] == shutil.disk_usage(".").total // host.MIB
    name = socket.gethostname()
    hosts = subprocess.run(["getent", "hosts", name], capture_output=True, text=True, check=False)
    assert (seen["network.own_name"] is not None) is bool(hosts.stdout)


def test_torch_is_read_and_not_imported() -> None:
    code = (
        "import sys; from fixbook.machine.software import installed; found = installed();"
        "print(found['packages.torch'], found['torch.cuda'], 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, built_for, imported = done.stdout.split()
    assert imported == "False"
    if version != "None":
        code = "import torch; print(torch.__version__, torch.version.cuda)"
        asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)  # noqa: PLW1510
        assert asked.stdout.split() == [version, built_for]


def _distribution(folder: Path, name: str, metadata: str) -> None:
    (folder / f"{name}.dist-info").mkdir(parents=True)
    (folder / f"{name}.dist-info" / "METADATA").write_text(metadata, "utf-8")


def _versions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.setattr(sys, "path", [str(folder)])
    return software.installed()


def test_builds_and_unmet_requirements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _distribution(tmp_path, "torch-2.8.0", "Name: torch\nVersion: 2.8.0\n")
    (tmp_path / "torch").mkdir()
    text = "__version__ = '2.8.0+cu128'\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n"
    (tmp_path / "torch" / "version.py").write_text(text, "utf-8")
    _distribution(
        tmp_path, "torchvision-0.23.0", "Name: torchvision\nVersion: 0.23.0+cpu\n"
        "Requires-Dist: torch==2.8.0\nRequires-Dist: numpy\nRequires-Dist: gdown; extra == 'x'\n"
        "Requires-Dist: tokenizers<0.20; python_version > '3'\nRequires-Dist: ((\n",
    )  # fmt: skip
    _distribution(tmp_path, "Tokenizers-0.21.0", "Name: Tokenizers\nVersion: 0.21.0\n")
    _distribution(tmp_path, "nvidia_cublas_cu12-1", "Name: nvidia-cublas-cu12\nVersion: 12.8\n")
    found = _versions(tmp_path, monkeypatch)
    assert (found["builds.torch"], found["builds.torchvision"]) == ("cu128", "cpu")
    assert (found["torch.cuda"], found["torch.cuda_major"], found["torch.hip"]) == (
        "12.8",
        12,
        None,
    )
    assert found["packages.nvidia-cublas-cu12"] == "12.8"
    assert found["requirements.unmet"] == [
        "torchvision 0.23.0+cpu: numpy (not installed)",
        "torchvision 0.23.0+cpu: tokenizers<0.20 (0.21.0)",
    ]


def test_metadata_that_a_broken_installation_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _distribution(tmp_path, "torch-2", "Version: 2\n")
    _distribution(tmp_path, "peft-1", "Name: peft\nVersion: 1\nRequires-Dist: torch>2\n")
    (tmp_path / "~orch-2.dist-info").mkdir()
    (tmp_path / "numpy-1.dist-info").mkdir()
    found = _versions(tmp_path, monkeypatch)
    assert (found["packages.torch"], found["packages.numpy"], found["packages.peft"]) == (
        None,
        None,
        "1",
    )
    assert isinstance(found["requirements.unmet"], list)


def test_a_torch_whose_build_cannot_be_read_is_not_one_for_the_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _distribution(tmp_path, "torch-2.8.0", "Name: torch\nVersion: 2.8.0\n")
    found = _versions(tmp_path, monkeypatch)
    assert found["packages.torch"] == "2.8.0"
    assert {str(found[f"torch.{name}"]) for name in ("cuda", "cuda_major", "hip")} == {
        str(Unknown("failed", "torch/version.py"))
    }


def test_a_command_that_cannot_run_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"ninja": "exit 127", "gcc": "echo gcc 13.2.0", "git": "echo"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "cmake").write_text("#!/no/such/interpreter\n", "utf-8")
    (tmp_path / "cmake").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = around.commands()
    seen = [found[f"commands.{name}"] for name in ("ninja", "gcc", "git", "cmake", "clang")]
    assert seen == [None, "13.2.0", "?", None, None]


CGROUPS = {
    "unified": (
        "0::/job/task\n",
        {
            "job/memory.max": "1073741824",
            "job/task/memory.max": "max",
            "job/task/memory.current": "5242880",
            "job/memory.events": "low 0\noom 2\noom_kill 2\noom_group_kill 0\n",
            "job/task/memory.events": "oom_kill 0\n",
        },
        (1024, 5, 2),
    ),
    "old": (
        "5:memory:/job\n1:name=systemd:/\n",
        {
            "memory/job/memory.limit_in_bytes": "2147483648",
            "memory/memory.limit_in_bytes": str((1 << 63) - 4096),
            "memory/job/memory.oom_control": "oom_kill_disable 0\noom_kill 1\n",
        },
        (2048, None, 1),
    ),
    "none": ("", {}, (None, None, None)),
    "outside": ("0::/../../elsewhere\n", {"memory.max": "nonsense"}, (None, None, None)),
}


@pytest.mark.parametrize("name", CGROUPS)
def test_tightest_limit_of_control_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    own, files, answer = CGROUPS[name]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    real = host._text
    monkeypatch.setattr(host, "_CGROUPS", tmp_path)
    monkeypatch.setattr(host, "_text", lambda path: own if path.name == "cgroup" else real(path))
    assert tuple(host.cgroup().values()) == answer


@pytest.mark.parametrize(
    ("addresses", "answer"),
    [
        (["127.0.1.1"], "loopback"),
        (["127.0.0.1", "::1"], "loopback"),
        (["127.0.1.1", "10.1.2.3"], "address"),
        (["fe80::1%eth0"], "address"),
    ],
)
def test_own_name(monkeypatch: pytest.MonkeyPatch, addresses: list[str], answer: str) -> None:
    rows = [(0, 0, 0, "", (one, 0)) for one in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: rows)
    assert around.own_name() == {"network.own_name": answer}


def test_a_lock_that_somebody_has_just_taken_is_not_a_stale_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path))
    assert around.locks()["extensions.locks"] == []
    for name in ("py311_cpu/old", "py311_cpu/new", "a/b/c/d/too_deep"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "lock").touch()
    os.utime(tmp_path / "py311_cpu/old/lock", (0, 0))
    os.utime(tmp_path / "a/b/c/d/too_deep/lock", (0, 0))
    assert around.locks()["extensions.locks"] == ["old"]


HUBS: dict[str, Callable[[Path], dict[str, str]]] = {
    "HF_HUB_CACHE": lambda folder: {"HF_HUB_CACHE": str(folder / "hub")},
    "HF_HOME": lambda folder: {"HF_HOME": str(folder)},
}


@pytest.mark.parametrize("name", HUBS)
def test_cache_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable in ("HF_HUB_CACHE", "HF_HOME", "HF_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "hub" / "models--team--one").mkdir(parents=True)
    (tmp_path / "hub" / "datasets--team--two").mkdir()
    for variable, value in HUBS[name](tmp_path).items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("HF_HUB_OFFLINE", "yes")
    found = around.hub()
    assert (found["hub.cached_models"], found["hub.offline"]) == (1, True)


def test_a_folder_that_is_not_there_yet_is_measured_where_it_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "not" / "yet"))
    found = host.disk("hub")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert found["disks.hub.total_mib"] == host.disk("tmp")["disks.tmp.total_mib"]


def test_what_nothing_can_be_written_to_is_not_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The image of a container has no free block and no free inode, and never had."""
    image = os.statvfs_result((4096, 4096, 1 << 20, 0, 0, 1000, 0, 0, os.ST_RDONLY, 255))
    monkeypatch.setattr(os, "statvfs", lambda _path: image)
    said = {"disks.cwd.total_mib": 4096, "disks.cwd.free_mib": None}
    assert host.disk("cwd") == {**said, "disks.cwd.inodes_free_percent": None}


def test_every_key_is_in_a_report_or_its_reason() -> None:
    found = report()
    there = {f"{section}.{name}" for section, rows in found.items() if isinstance(rows, dict)
             for name in rows}  # fmt: skip
    for key in keys():
        section, name, *_ = key.split(".")
        assert f"{section}.{name}" in there or key in found["unknown"], key
