"""One rank of NCCL, in a process of its own: what torch and vLLM call to join a group."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import time
from pathlib import Path

from fixbook.recipe.helpers.gpu import NoStandInError
from fixbook.recipe.helpers.nccl.build import CALLS, NVML
from fixbook.recipe.helpers.nccl.replace import replace

ID_BYTES = 128


class _Id(ctypes.Structure):
    _fields_ = (("bytes", ctypes.c_char * ID_BYTES),)


def published() -> Path:
    """Return NCCL's library of the step's own packages.

    Raises:
        NoStandInError: None of them brings one.
    """
    spec = importlib.util.find_spec("nvidia.nccl")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        library = Path(folder, "lib", "libnccl.so.2")
        if library.is_file():
            return library
    raise NoStandInError("none of the packages brings libnccl.so.2")


def join(rank: int, world: int, device: int, library: Path, below: Path, meet: Path) -> None:
    """Join a group, and write down how that ended: ``{rank}.json`` beside the id of the group.

    Args:
        rank: Which one this is.
        world: How many there are.
        device: GPU that this process chooses, counted as it sees them.
        library: NCCL.
        below: What `stand_in_below_nccl` has returned; without ``libnvidia-ml.so.1`` in it, NCCL
            looks for the machine's.
        meet: Folder in which rank 0 leaves the id of the group.
    """
    if (below / NVML).is_file():
        ctypes.CDLL(str(below / NVML), ctypes.RTLD_GLOBAL)
    calls = ctypes.CDLL(str(below / CALLS))
    nccl = ctypes.CDLL(str(library))
    nccl.ncclGetErrorString.restype = nccl.ncclGetLastError.restype = ctypes.c_char_p
    nccl.ncclCommInitRank.argtypes = [ctypes.c_void_p, ctypes.c_int, _Id, ctypes.c_int]
    replace(library, nccl, "ncclGetVersion", calls)
    calls.cudaSetDevice(device)
    began = time.monotonic()
    unique = _Id()
    code = _first(nccl, unique, meet) if rank == 0 else _others(unique, meet)
    if code == 0:
        code = nccl.ncclCommInitRank(ctypes.byref(ctypes.c_void_p()), world, unique, rank)
    ended = {
        "code": code,
        "error": nccl.ncclGetErrorString(code).decode(),
        "last": nccl.ncclGetLastError(None).decode(),
        "seconds": time.monotonic() - began,
    }
    draft = meet / f"{rank}.new"
    draft.write_text(json.dumps(ended), "utf-8")
    draft.rename(meet / f"{rank}.json")


def _first(nccl: ctypes.CDLL, unique: _Id, meet: Path) -> int:
    code = int(nccl.ncclGetUniqueId(ctypes.byref(unique)))
    if code == 0:
        draft = meet / "id.new"
        draft.write_bytes(ctypes.string_at(ctypes.byref(unique), ID_BYTES))
        draft.rename(meet / "id")
    return code


def _others(unique: _Id, meet: Path) -> int:
    while not (meet / "id").exists():
        time.sleep(0.02)
        if os.getppid() == 1:
            os._exit(1)
    ctypes.memmove(ctypes.byref(unique), (meet / "id").read_bytes(), ID_BYTES)
    return 0
