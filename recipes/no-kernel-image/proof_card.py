"""A card that stands in, for the code that a build of torch really holds; imported before torch is.

CUDA's rule decides whether a kernel starts: machine code runs on cards of its major number, from
its minor number on. The build's own list of code is read out of its library; where none of it
fits, starting a kernel answers what CUDA answers.
"""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import os
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.recipe.helpers import stand_in_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_KERNEL_IMAGE = 209
_BUNDLE, _MACHINE_CODE = 0xBA55ED50, 2

# Builds for CUDA 12 ask for properties by another name; as far as the capability, they are alike.
_PROPERTIES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
int cudaGetDeviceProperties_v2(char *properties, int device) {
  int (*same)(char *, int) = (int (*)(char *, int))dlsym(RTLD_DEFAULT, "cudaGetDeviceProperties");
  return same(properties, device);
}
"""


def architectures(library: Path) -> set[int]:
    """Return the architectures, such as 80, for which a library has every bundle of kernels."""
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return set.intersection(*_bundles(data))


def _bundles(data: mmap.mmap) -> Iterator[set[int]]:
    at, end = _section(data, b".nv_fatbin")
    while at < end:
        mark, _, head, size = struct.unpack_from("<IHHQ", data, at)
        if mark == _BUNDLE:
            yield {arch for kind, arch in _code(data, at + head, size) if kind == _MACHINE_CODE}
            at += head + size
        else:
            at += 8


def _code(data: mmap.mmap, at: int, size: int) -> Iterator[tuple[int, int]]:
    end = at + size
    while at < end:
        kind, _, head, length = struct.unpack_from("<HHIQ", data, at)
        yield kind, struct.unpack_from("<I", data, at + 28)[0]
        at += head + length


def _section(data: mmap.mmap, name: bytes) -> tuple[int, int]:
    first = struct.unpack_from("<Q", data, 0x28)[0]
    size, count, of_names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", data, first + at * size) for at in range(count)]
    for section in sections:
        start = sections[of_names][4] + section[0]
        if data[start : data.find(b"\0", start)] == name:
            return section[4], section[4] + section[5]
    raise LookupError(f"no section {name.decode()}")


def put_in(card: str) -> None:
    """Let a card of this compute capability, such as "7.0", stand in."""
    major, minor = (int(part) for part in card.split("."))
    spec = importlib.util.find_spec("torch")
    library = Path(str(spec and spec.origin)).with_name("lib") / "libtorch_cuda.so"
    fits = range(major * 10, major * 10 + minor + 1)
    if library.is_file() and not architectures(library).intersection(fits):
        os.environ["FIXBOOK_GPU_ANSWERS"] = f"cudaLaunchKernel={NO_KERNEL_IMAGE}"
    os.environ["FIXBOOK_GPU_CAPABILITY"] = f"{major}{minor}"
    target = Path(tempfile.mkdtemp()) / "libproperties.so"
    command = ["cc", "-w", "-shared", "-fPIC", "-o", str(target), "-xc", "-", "-ldl"]
    subprocess.run(command, input=_PROPERTIES, text=True, check=True)
    ctypes.CDLL(str(target), ctypes.RTLD_GLOBAL)
    stand_in_gpu(values=False)


if card := os.environ.get("STAND_IN_CARD"):
    put_in(card)
