"""Machines that rules are about, made for a process of its own: what fails there really fails.

A state is made of variables, limits and mounts of that process, where it can be. Stand-ins, all of
them below and in `machine_cards`: a torch built for CUDA (`_cuda_torch`: its metadata and
version.py), a driver (`driver`: a libcuda that says nothing but its version; `half_upgraded`: a
libnvidia-ml that refuses where the module's file, which stands in too, is of another release), nvcc
and nvidia-smi (scripts that print what those print), a GPU (`gpu`: torch's own check, told of one),
packages of other versions (their metadata).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.config.machine_cards import driver, gpu, half_upgraded, nvcc
from tests.config.machine_state import REPORT, ROOT, State, metadata
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.config.fixtures import Fixture

_SCRIPT = Path(__file__).with_name("in_state.py")
_MOUNT = """
import os
from fixbook.recipe.helpers.mounts import private_mount
private_mount({size}, {path!r}{more})
os.chdir({path!r})
"""


def said_in_state(item: Fixture, path: Path, folder: Path) -> str:
    """Make the state of a fixture; return what the tool says in it.

    The rule reports the state of the failing fixture, and not that of the passing one.
    """
    failing = path.stem == "fails"
    state = STATES[item.name](folder, failing)
    env = {**os.environ, "PYTHONPATH": str(ROOT), **state.env}
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
        metadata(folder / "path", "tokenizers", "0.19.1")
    path = f"{folder / 'path'}{os.pathsep}{ROOT}"
    return State("import transformers", {"PYTHONPATH": path})


def _requirements(folder: Path, failing: bool) -> State:  # noqa: FBT001
    """A site of two packages and nothing else, also for pip."""
    metadata(folder / "path", "accelerate", "1.15.0")
    metadata(folder / "path", "peft", "0.21.2", "accelerate>=99" if failing else "accelerate>=1")
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
    return State(tool, report=before + alone + REPORT)


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


STATES: dict[str, Callable[[Path, bool], State]] = {
    "machine-address-space-limited": _address_space,
    "machine-disk-nearly-full": _disk,
    "machine-driver-half-upgraded": half_upgraded,
    "machine-driver-too-old": driver,
    "machine-gpu-not-in-wheel": gpu,
    "machine-hub-offline-and-empty": _hub,
    "machine-inodes-used-up": _inodes,
    "machine-ninja-not-on-path": _ninja,
    "machine-no-c-compiler": _compiler,
    "machine-no-nvcc": lambda folder, failing: nvcc(folder, "" if failing else "13.0"),
    "machine-open-files-low": _open_files,
    "machine-own-name-not-resolved": _own_name,
    "machine-requirements-not-met": _requirements,
    "machine-shared-memory-small": _shared_memory,
    "machine-toolkit-of-another-major": lambda folder, failing: nvcc(
        folder, "12.4" if failing else "13.0"
    ),
    "machine-transformers-refuses-import": _transformers,
}
