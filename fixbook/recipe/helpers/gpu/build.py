"""Compile the libraries of a machine that has a GPU, for one build of torch.

CUDA's runtime and driver are sources of this folder. Every other library that the build links and
that is not there becomes one of functions that answer 0, which is success.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

from fixbook.recipe.helpers.compiled import compile_library, kept, key_of

HERE = Path(__file__).parent
RUNTIME, DRIVER = re.compile(r"^libcudart\.so\.\d+$"), "libcuda.so.1"
COMPILER = re.compile(r"^libnvrtc\.so\.\d+$")  # of kernels, while a program runs
# The parts of a build that call CUDA's libraries.
_PARTS = ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_cuda_linalg.so", "libtorch_python.so")
_LINKED = re.compile(r"^\s*(\S+) => (.+?)(?: \(0x|$)", re.MULTILINE)
_CALL = re.compile(r"^(?:_*cu[a-zA-Z]|nccl|nvrtc|nvshmem|nvJit)\w*$")
_LINKER = "libnvJitLink.so."  # libraries beside torch link it, such as bitsandbytes 0.48
_PROGRAMS = ("cc", "ldd", "nm")


class NoStandInError(Exception):
    """Nothing can stand in here; the message says why."""


def stand_in_libraries(torch: Path, cache: Path) -> Path:
    """Return a folder with the libraries, compiling them if need be.

    Args:
        torch: Folder of the package.
        cache: Where such folders are kept.

    Raises:
        NoStandInError: A program is missing, or this torch is not built for CUDA.
        subprocess.CalledProcessError: The compiler refused; its message has been printed.
    """
    parts = [torch / "lib" / name for name in _PARTS]
    if not parts[0].is_file():
        raise NoStandInError("this torch is not built for CUDA")
    if absent := [name for name in _PROGRAMS if not shutil.which(name)]:
        raise NoStandInError(f"{absent[0]} is not installed")
    there = [path for path in parts if path.is_file()]
    return kept(cache, _key(parts), partial(_compile_all, there))


def _key(parts: list[Path]) -> str:
    sizes = (f"{part} {part.stat().st_size if part.is_file() else 0}" for part in parts)
    return key_of([*sorted(HERE.glob("*.[ch]")), Path(__file__)], *sizes)


def _compile_all(parts: list[Path], folder: Path) -> None:
    linked = dict(_LINKED.findall(_said("ldd", *parts)))
    runtime = next((name for name in linked if RUNTIME.match(name)), None)
    if runtime is None:
        raise NoStandInError("this torch links no runtime of CUDA")
    compile_library(folder / DRIVER, HERE / "driver.c")
    wanted = set(filter(_CALL.match, _symbols(parts, "--undefined-only")))
    found = [Path(path) for path in linked.values() if path.startswith("/")]
    known = [path for path in found if path.name.startswith(("libtorch", "libc10", "libcaffe2"))]
    wanted -= set(_symbols([*known, folder / DRIVER], "--defined-only"))
    real = linked[runtime] if linked[runtime].startswith("/") else ""
    options = [f'-DREAL="{real}"', f"-I{HERE}", "-ldl", "-lpthread"]
    compile_library(folder / runtime, HERE / "runtime.c", *options)
    if real:  # libraries beside torch may call more of it than torch does, such as bitsandbytes
        wanted |= set(filter(_CALL.match, _symbols([Path(real)], "--defined-only")))
    wanted -= set(_symbols([folder / runtime], "--defined-only"))
    others = folder / "others.c"
    lines = [f"__attribute__((weak)) int {name}(void) {{ return 0; }}" for name in sorted(wanted)]
    others.write_text("\n".join(lines), "utf-8")
    compile_library(folder / "libothers.so", HERE / "libraries.c", str(others))
    absent = {name for name, path in linked.items() if path == "not found"}
    beside = _LINKER + runtime.rpartition(".")[2]
    for name in sorted(absent | ({beside} - linked.keys())):
        if name != runtime:
            source = HERE / "compiler.c" if COMPILER.match(name) else Path(os.devnull)
            compile_library(folder / name, source)


def _symbols(files: list[Path], which: str) -> list[str]:
    said = _said("nm", "--dynamic", which, *files)
    return [line.split()[-1].partition("@")[0] for line in said.splitlines() if " " in line]


def _said(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout
