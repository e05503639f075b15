"""Machines on which a compiler fails, and an edit of torch that keeps it from being called."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import torch
from failure import build

from fixbook.recipe import snippet_text
from fixbook.recipe.helpers import private_mount, program

ROOT = Path("torch_extensions")
ENDED = "#!/bin/sh\nkill -9 $$\n"
# There is memory for one compiler; of several, none ends by itself.
COMPILER = """#!/bin/sh
case " $* " in *" -c "*) ;; *) exec c++ "$@" ;; esac
here=$(dirname "$0"); running=$here/running
mkdir -p $running && touch $running/$$
for try in 1 2 3 4 5 6 7 8; do [ $(ls $running | wc -l) -ge 2 ] || sleep 0.05; done
at_once=$(ls $running | wc -l); echo $at_once >> $here/at_once
[ $at_once -lt ${MOST-2} ] || set -- "-B$here/" "$@"
c++ "$@"; status=$?
sleep 0.05; rm $running/$$; exit $status
"""
# In the words of 13.0 for an architecture that it does not know.
NVCC = """#!/bin/sh
case " $* " in *compute_120*) ;; *) exit 0 ;; esac
echo "nvcc fatal   : Unsupported gpu architecture 'compute_120'" >&2
exit 1
"""
NINJA = """#!/bin/sh
echo "$1" > {asked}
exec {ninja} "$@"
"""


def machine(cause: str, *, mended: bool = False) -> str:
    """Set up the machine, and return the flags that the operator's author chose.

    ``mended``: follow the page.
    """
    os.environ["TORCH_EXTENSIONS_DIR"] = str(ROOT.absolute())
    for name in ("MAX_JOBS", "CUDA_HOME", "CUDA_PATH", "CPATH", "LIBRARY_PATH"):
        os.environ.pop(name, None)
    os.environ["CONDA_PREFIX"] = str(Path("conda").absolute())
    target = Path(os.environ["CONDA_PREFIX"], "targets/x86_64-linux")
    (target / "include").mkdir(parents=True)
    (target / "include/kernel_config.h").touch()
    archive("curand_missing", target / "lib")
    if cause != "header":
        os.environ["CPATH"] = str(target / "include")
    elif mended:
        follow("header")
    if cause in {"memory", "always killed"}:
        program("cc1plus", ENDED)
        os.environ["CXX"] = program("counted", COMPILER) + "/counted"
        os.environ["MOST"] = "2" if cause == "memory" else "0"
        if mended:
            follow("one-at-a-time")
    if cause == "nvcc":
        old_nvcc(mended=mended)
    return "-std=c++14" if cause == "standard" and not mended else ""


def archive(name: str, folder: Path) -> None:
    """Make a library with nothing in it."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["ar", "rcs", str(folder / f"lib{name}.a")], check=True)


def follow(page: str) -> None:
    """Run commands of the page, and take over what they export."""
    command = snippet_text(page) + "\nenv -0 >variables"
    subprocess.run(["bash", "-euo", "pipefail", "-c", command], check=True)
    said = Path("variables").read_text("utf-8").strip("\0")
    os.environ |= dict(line.split("=", 1) for line in said.split("\0"))


def old_nvcc(*, mended: bool) -> None:
    """Put an nvcc that is older than the GPU on the PATH, with a torch of CUDA 13.0."""
    if mended:
        home = importlib.metadata.distribution("cuda-toolkit").locate_file("nvidia/cu13")
        private_mount(1 << 20, "/usr/local")
        Path("/usr/local/cuda-13.0").symlink_to(str(home))
        libraries = Path("libraries").absolute()
        for name in ("c10_cuda", "torch_cuda"):  # what torch for the CPU has not got
            archive(name, libraries)
        (libraries / "libcudart.a").symlink_to(f"{home}/lib/libcudart_static.a")
        os.environ["LIBRARY_PATH"] = str(libraries)
    nvcc = Path("cuda-12.4/bin/nvcc").absolute()
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text(NVCC, "utf-8")
    nvcc.chmod(0o755)
    os.environ["PATH"] = str(nvcc.parent) + os.pathsep + os.environ["PATH"]
    os.environ["TORCH_CUDA_ARCH_LIST"] = "12.0"  # there is no GPU that could be asked
    if mended:
        follow("toolkit")
    torch.version.cuda = "13.0"  # what such a build says of itself
    torch.cuda._is_compiled = lambda: True
    torch.cuda.is_available = lambda: False
    sys.modules.pop("torch.utils.cpp_extension", None)  # a process that forks steps has looked
    importlib.import_module("torch.utils.cpp_extension")


def most_at_once() -> int:
    """Return how many compilers ran at the same time."""
    return max(int(line) for line in Path("programs/at_once").read_text("utf-8").split())


def edit_torch() -> None:
    """Edit torch's file as the advice has it; what is imported then is the edited text."""
    name = "torch.utils.cpp_extension"
    spec = importlib.util.find_spec(name)
    assert spec
    assert spec.origin
    text = Path(spec.origin).read_text("utf-8").replace("['ninja', '-v']", "['ninja', '--version']")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(text, spec.origin, "exec"), vars(module))  # noqa: S102


def watch_ninja() -> Path:
    """Have each call of ninja note its first argument, and return where."""
    asked = Path("asked").absolute()
    folder = program("ninja", NINJA.format(asked=asked, ninja=shutil.which("ninja")))
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    return asked


def beside_a_failing_build() -> int:
    """Start a build that will fail after a second, and return its process once it has the lock."""
    slow = "#!/bin/sh\ncase ' '$*' ' in *' -c '*) sleep 1 ;; esac\nexec c++ \"$@\"\n"
    os.environ["CXX"] = program("slow", slow) + "/slow"
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            build()
        finally:
            os._exit(1)
    while not (ROOT / "kernel/lock").exists():
        time.sleep(0.005)
    return child
