"""Machines that rules are about, made for a process of its own: what fails there really fails.

A state is made of variables, limits and mounts of that process, where it can be. Stand-ins, all of
them below: a torch built for CUDA (`_cuda_torch`: its metadata and version.py), a driver
(`_driver`: a libcuda that says nothing but its version; `_half_upgraded`: a libnvidia-ml that
refuses where the module's file, which stands in too, is of another release), nvcc and nvidia-smi
(scripts that print what those print), a GPU (`_gpu`: torch's own check, told of one), packages of
other versions (their metadata).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.config.fixtures import Fixture

_SCRIPT = Path(__file__).with_name("in_state.py")
_ROOT = Path(__file__).parents[2]
_REPORT = (
    "import sys; from fixbook.cli import main; sys.argv = ['fixbook', 'env', '--json']; main()"
)
_MOUNT = """
import os
from fixbook.recipe.helpers.mounts import private_mount
private_mount({size}, {path!r}{more})
os.chdir({path!r})
"""
# Where CUDA's own runtime may be, to ask it about the stand-in for a driver.
_RUNTIMES = (
    "/usr/local/cuda-13*/targets/*/lib/libcudart.so.13",
    "/usr/local/cuda*/lib64/libcudart.so.13",
)


@dataclass
class State:
    """A state of a process, and what is done in it.

    Attributes:
        tool: What fails in it, as a program.
        env: Variables of the process.
        look: Variables for the report alone.
        setup: What the process does to itself first.
        report: The program that makes the report.
    """

    tool: str
    env: dict[str, str] = field(default_factory=dict)
    look: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    report: str = _REPORT


def said_in_state(item: Fixture, path: Path, folder: Path) -> str:
    """Make the state of a fixture; return what the tool says in it.

    The rule reports the state of the failing fixture, and not that of the passing one.
    """
    failing = path.stem == "fails"
    state = STATES[item.name](folder, failing)
    env = {**os.environ, "PYTHONPATH": str(_ROOT), **state.env}
    look = {"FIXBOOK_BOOK": str(real_book().root), **state.look}
    done = subprocess.run(
        [sys.executable, str(_SCRIPT)],
        input=json.dumps([state.setup, look, state.report, state.tool]),
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    if "skip" in answer:
        pytest.skip(answer["skip"])
    assert (item.name in answer["rules"]) is failing, answer
    said: str = answer["said"]
    return said


def _path_without(folder: Path, *, empty: bool) -> str:
    (folder / "empty").mkdir(exist_ok=True)
    return str(folder / "empty") if empty else os.environ["PATH"]


def _ninja(folder: Path, failing: bool) -> State:  # noqa: FBT001
    tool = "from torch.utils.cpp_extension import verify_ninja_availability as check; check()"
    return State(tool, {"PATH": _path_without(folder, empty=failing)})


def _compiler(folder: Path, failing: bool) -> State:  # noqa: FBT001
    tool = (
        "import os; os.environ.pop('CC', None); from triton.runtime.build import _build;"
        f"open('x.c', 'w').close(); _build('x', 'x.c', {str(folder)!r}, [], [], [], [])"
    )
    return State(tool, {"PATH": _path_without(folder, empty=failing)})


def _script(folder: Path, name: str, said: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n", "utf-8")
    path.chmod(0o755)
    return path


def _metadata(folder: Path, name: str, version: str, *needs: str) -> None:
    place = folder / f"{name}-{version}.dist-info"
    place.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in needs]
    (place / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")


def _cuda_torch(folder: Path, architectures: str = "") -> dict[str, str]:
    """A torch that says it was built for CUDA 13.0, for the report alone."""
    _metadata(folder / "path", "torch", "2.13.0")
    package = folder / "path" / "torch"
    package.mkdir()
    (package / "version.py").write_text("__version__ = '2.13.0+cu130'\ncuda = '13.0'\n", "utf-8")
    (package / "__init__.py").write_text("from torch import _C\n", "utf-8")
    flags = f"def _cuda_getArchFlags():\n    return {architectures!r}\n"
    (package / "_C.py").write_text(flags, "utf-8")
    return {"PYTHONPATH": f"{folder / 'path'}{os.pathsep}{_ROOT}"}


_CHECKS_NVCC = (
    "import torch, torch.utils.cpp_extension as e; torch.version.cuda = '13.0';"
    "e.CUDA_HOME = e._find_cuda_home(); e._check_cuda_version('g++', e.TorchVersion('12.2'))"
)


def _nvcc(folder: Path, version: str) -> State:
    home = folder / "cuda"
    home.mkdir()
    if version:
        _script(home, "bin/nvcc", f"Cuda compilation tools, release {version}, V{version}.48")
    return State(_CHECKS_NVCC, {"CUDA_HOME": str(home)}, look=_cuda_torch(folder))


def _shared_memory(_folder: Path, failing: bool) -> State:  # noqa: FBT001
    tool = (
        "import torch; from torch.utils.data import DataLoader\n"
        "list(DataLoader([torch.zeros(20 << 20)], batch_size=1, num_workers=1))"
    )
    size = (64 if failing else 1024) << 20
    return State(tool, setup=_MOUNT.format(size=size, path="/dev/shm", more=""))  # noqa: S108


def _open_files(_folder: Path, failing: bool) -> State:  # noqa: FBT001
    tool = (
        "import torch; from torch.utils.data import DataLoader\n"
        "kept = [batch for batch in DataLoader(torch.zeros(1200, 1), num_workers=1)]"
    )
    limit = 1024 if failing else 4096
    setup = f"import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({limit}, {limit}))"
    return State(tool, setup=setup)


def _disk(folder: Path, failing: bool) -> State:  # noqa: FBT001
    (folder / "disk").mkdir()
    size = (8 if failing else 2048) << 20
    setup = _MOUNT.format(size=size, path=str(folder / "disk"), more="")
    return State("import torch; torch.save(torch.zeros(3 << 20), 'model.pt')", setup=setup)


def _inodes(folder: Path, failing: bool) -> State:  # noqa: FBT001
    (folder / "disk").mkdir()
    setup = _MOUNT.format(size=2 << 30, path=str(folder / "disk"), more=", inodes=100")
    if failing:
        setup += "for n in range(99): open(str(n), 'w').close()\n"
    return State("open('model.pt', 'w')", setup=setup)


def _hub(folder: Path, failing: bool) -> State:  # noqa: FBT001
    cached = folder / "hub" / "models--team--model"
    snapshot = cached / "snapshots" / ("0" * 40)
    snapshot.mkdir(parents=True)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("0" * 40, "utf-8")
    (snapshot / "config.json").write_text('{"model_type": "llama"}', "utf-8")
    (folder / "empty").mkdir()
    cache = folder / ("empty" if failing else "hub")
    tool = "from transformers import AutoConfig; AutoConfig.from_pretrained('team/model')"
    return State(tool, {"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(cache)})


def _transformers(folder: Path, failing: bool) -> State:  # noqa: FBT001
    if failing:
        _metadata(folder / "path", "tokenizers", "0.19.1")
    path = f"{folder / 'path'}{os.pathsep}{_ROOT}"
    return State("import transformers", {"PYTHONPATH": path})


def _requirements(folder: Path, failing: bool) -> State:  # noqa: FBT001
    """A site of two packages and nothing else, also for pip."""
    _metadata(folder / "path", "accelerate", "1.15.0")
    _metadata(folder / "path", "peft", "0.21.2", "accelerate>=99" if failing else "accelerate>=1")
    alone = "import sys, os\n"
    alone += (
        "sys.path = [one for one in sys.path if one.startswith(os.path.dirname(os.__file__))]\n"
    )
    alone += "sys.path = [one for one in sys.path if not one.endswith('-packages')]\n"
    alone += f"sys.path.insert(0, {str(folder / 'path')!r})\n"
    before = "import fixbook.cli.env, fixbook.machine.report, fixbook.machine.document\n"
    before += "import fixbook.config.formats.json_format, fixbook.cli, json, click\n"
    before += "import importlib.metadata, email.parser, packaging.requirements\n"
    before += "from fixbook.config.rules import rules; rules()\n"
    tool = "import pip._internal.commands.check, pip._internal.cli.main\n" + alone
    tool += "pip._internal.cli.main.main(['--no-input', 'check'])"
    return State(tool, report=before + alone + _REPORT)


def _driver(folder: Path, failing: bool) -> State:  # noqa: FBT001
    runtime = next((path for one in _RUNTIMES for path in sorted(Path("/").glob(one[1:]))), None)
    if runtime is None:
        pytest.skip("there is no CUDA runtime here to ask about the driver")
    source = folder / "libcuda.c"
    version = 12080 if failing else 13000
    source.write_text(f"int cuDriverGetVersion(int *v) {{ *v = {version}; return 0; }}\n", "utf-8")
    library = folder / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    tool = (
        f"import ctypes; c = ctypes.CDLL({str(runtime)!r}); n = ctypes.c_int()\n"
        "c.cudaGetErrorString.restype = ctypes.c_char_p\n"
        "print(c.cudaGetErrorString(c.cudaGetDeviceCount(ctypes.byref(n))).decode())"
    )
    return State(tool, {"LD_LIBRARY_PATH": str(folder)}, look=_cuda_torch(folder))


def _gpu(folder: Path, failing: bool) -> State:  # noqa: FBT001
    listed = "sm_80 sm_90" if failing else "sm_80 sm_90 sm_120"
    smi = _script(folder, "bin/nvidia-smi", "NVIDIA Made Up, 32768, 580.65.06, 12.0")
    tool = (
        "import torch, torch.cuda as c; torch.version.cuda = '13.0'\n"
        f"c.get_arch_list = lambda: {listed.split()!r}; c.device_count = lambda: 1\n"
        "c.get_device_capability = lambda *_: (12, 0); c.get_device_name = lambda *_: 'Made Up'\n"
        "c._check_capability()"
    )
    env = {"PATH": f"{smi.parent}{os.pathsep}{os.environ['PATH']}"}
    return State(tool, env, look=_cuda_torch(folder, listed))


def _address_space(_folder: Path, failing: bool) -> State:  # noqa: FBT001
    setup = "import resource as r; r.setrlimit(r.RLIMIT_AS, (4 << 30, 4 << 30))" if failing else ""
    return State("import torch; torch.empty(4 << 30, dtype=torch.uint8)", setup=setup)


def _own_name(_folder: Path, failing: bool) -> State:  # noqa: FBT001
    tool = (
        "import torch.distributed as d\n"
        "d.init_process_group('gloo', store=d.HashStore(), rank=0, world_size=1)"
    )
    name = "no-such-host-here" if failing else "localhost"
    setup = (
        "import ctypes, socket\nfrom fixbook.recipe.author.skip import skip\n"
        "new_names = 0x04000000\n"
        "if ctypes.CDLL(None).unshare(new_names): skip('this machine forbids a name of its own')\n"
        f"socket.sethostname({name!r})"
    )
    return State(tool, setup=setup)


_REFUSES = r"""
#include <stdio.h>
#include <string.h>
int nvmlInit_v2(void) {
  char said[300] = "";
  FILE *file = fopen("/proc/driver/nvidia/version", "r");
  if (file) said[fread(said, 1, sizeof said - 1, file)] = 0;
  return strstr(said, RELEASE) ? 0 : 18;
}
const char *nvmlErrorString(int code) {
  return code == 18 ? "Driver/library version mismatch" : "Success";
}
"""
_MODULE = """
import pathlib
from fixbook.recipe.helpers import private_mount
private_mount(1 << 20, "/proc/driver")
place = pathlib.Path("/proc/driver/nvidia")
place.mkdir()
(place / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.158.01  Fri\\n")
"""


def _half_upgraded(folder: Path, failing: bool) -> State:  # noqa: FBT001
    if not shutil.which("cc"):
        pytest.skip("there is no compiler")
    release = "570.195.03" if failing else "570.158.01"
    library = folder / f"libnvidia-ml.so.{release}"
    options = ["-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", f'-DRELEASE="{release}"']
    command = ["cc", *options, "-o", str(library), "-x", "c", "-"]
    subprocess.run(command, input=_REFUSES, text=True, check=True)
    (folder / "libnvidia-ml.so.1").symlink_to(library.name)
    tool = (
        "import ctypes; nvml = ctypes.CDLL('libnvidia-ml.so.1');"
        "nvml.nvmlErrorString.restype = ctypes.c_char_p;"
        "print(nvml.nvmlErrorString(nvml.nvmlInit_v2()).decode())"
    )
    return State(tool, {"LD_LIBRARY_PATH": str(folder)}, setup=_MODULE)


STATES: dict[str, Callable[[Path, bool], State]] = {
    "machine-address-space-limited": _address_space,
    "machine-disk-nearly-full": _disk,
    "machine-driver-half-upgraded": _half_upgraded,
    "machine-driver-too-old": _driver,
    "machine-gpu-not-in-wheel": _gpu,
    "machine-hub-offline-and-empty": _hub,
    "machine-inodes-used-up": _inodes,
    "machine-ninja-not-on-path": _ninja,
    "machine-no-c-compiler": _compiler,
    "machine-no-nvcc": lambda folder, failing: _nvcc(folder, "" if failing else "13.0"),
    "machine-open-files-low": _open_files,
    "machine-own-name-not-resolved": _own_name,
    "machine-requirements-not-met": _requirements,
    "machine-shared-memory-small": _shared_memory,
    "machine-toolkit-of-another-major": lambda folder, failing: _nvcc(
        folder, "12.4" if failing else "13.0"
    ),
    "machine-transformers-refuses-import": _transformers,
}
