"""Programs that ask the driver's library for the GPUs, as gpustat, nvitop and vLLM do."""

from __future__ import annotations

NAMES = """
from importlib.metadata import version

import pynvml

print("nvidia-ml-py", version("nvidia-ml-py"))
pynvml.nvmlInit()
print("sees", pynvml.nvmlDeviceGetCount(), "with", pynvml.nvmlSystemGetDriverVersion())
"""
# A monitor that was started before the upgrade, and goes on asking after it.
GOES_ON = """
import subprocess
import sys

import pynvml

pynvml.nvmlInit()
subprocess.run(sys.argv[1:], check=True)
pynvml.nvmlShutdown()
pynvml.nvmlInit()
print("still sees", pynvml.nvmlDeviceGetCount())
"""
TORCH = """
import torch

print("torch counts", torch.cuda._raw_device_count_nvml())
"""
