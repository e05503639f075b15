"""A script that starts CUDA, and one that takes the GPU if torch says that there is one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch


def start_cuda() -> None:
    """Start CUDA, as the first tensor on the GPU does."""
    torch.cuda.init()  # type: ignore[no-untyped-call]


def take_the_gpu_if_there_is_one() -> dict[str, Any]:
    """Choose the device as most scripts do."""
    return {"device": "cuda" if torch.cuda.is_available() else "cpu"}


def install_a_toolkit() -> dict[str, Any]:
    """Put a newer toolkit into CUDA_HOME, where torch looks for one."""
    from torch.utils import cpp_extension  # which asks for GPUs while it is imported

    toolkit = Path("cuda-13.3").resolve()
    (toolkit / "bin").mkdir(parents=True)
    os.environ["CUDA_HOME"] = str(toolkit)
    return {"toolkit": Path(str(cpp_extension._find_cuda_home())).name}
