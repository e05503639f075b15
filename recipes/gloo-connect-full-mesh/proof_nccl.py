"""NCCL itself, asked for the id with which a group begins: the moment it picks its interface."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from pathlib import Path
from typing import Any

from fixbook.recipe import measure
from fixbook.recipe.helpers import on_hosts


def first_call(interfaces: str) -> dict[str, Any]:
    """Let NCCL pick an interface on a host that has net1 and lo."""
    spec = importlib.util.find_spec("nvidia.nccl")
    folders = list(spec.submodule_search_locations or []) if spec else []

    def host() -> None:
        os.environ |= {"NCCL_SOCKET_IFNAME": interfaces, "NCCL_DEBUG": "WARN"}
        nccl = ctypes.CDLL(str(Path(folders[0], "lib", "libnccl.so.2")))
        nccl.ncclGetErrorString.restype = ctypes.c_char_p
        code = nccl.ncclGetUniqueId(ctypes.create_string_buffer(128))
        measure(code=code)
        if code:
            raise RuntimeError(f"NCCL error: {nccl.ncclGetErrorString(code).decode()}")

    if any(on_hosts(host)):
        raise SystemExit(1)
    return {}
