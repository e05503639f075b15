"""A machine with NVIDIA's driver, as far as Unsloth looks, or with a GPU; before torch is imported.

Unsloth takes the file that the driver's module shows for a sign of a GPU. Here it stands in a file
system of the step's own.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fixbook.recipe.helpers import private_mount, stand_in_gpu

_MODULE = Path("/proc/driver/nvidia/version")


def load_module() -> None:
    """Let the kernel's file say that the driver's module is loaded."""
    private_mount(1 << 20, _MODULE.parents[1])
    _MODULE.parent.mkdir()
    _MODULE.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05\n", "utf-8")


def put_smi() -> None:
    """Let nvidia-smi name a GPU, which Unsloth asks before it raises."""
    program = Path(tempfile.mkdtemp()) / "nvidia-smi"
    program.write_text("#!/bin/sh\necho NVIDIA H100 80GB HBM3\n", "utf-8")
    program.chmod(0o755)
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"


if os.environ.get("STAND_IN_DRIVER"):
    load_module()
if os.environ.get("STAND_IN_SMI"):
    put_smi()
if os.environ.get("STAND_IN_GPU"):
    stand_in_gpu(values=False)
