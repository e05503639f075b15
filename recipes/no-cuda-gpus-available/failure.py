"""A script that chooses a GPU, and one that takes the GPU if torch says that there is one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch


def choose_a_gpu() -> dict[str, Any]:
    """Choose the first GPU."""
    torch.cuda.set_device(0)
    return {"device": f"cuda:{torch.cuda.current_device()}"}


def take_the_gpu_if_there_is_one() -> dict[str, Any]:
    """Choose the device as most scripts do."""
    return {"device": "cuda" if torch.cuda.is_available() else "cpu"}


def install_a_toolkit() -> dict[str, Any]:
    """Put a toolkit into CUDA_HOME, where torch looks for one."""
    from torch.utils import cpp_extension  # which asks for GPUs while it is imported

    toolkit = Path("cuda-13.0").resolve()
    (toolkit / "bin").mkdir(parents=True)
    os.environ["CUDA_HOME"] = str(toolkit)
    return {"toolkit": Path(str(cpp_extension._find_cuda_home())).name}


def visible() -> list[Any]:
    """Return what torch takes CUDA_VISIBLE_DEVICES for."""
    return list(torch.cuda._parse_visible_devices())
