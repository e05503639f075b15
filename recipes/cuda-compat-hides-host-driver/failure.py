"""A script that starts CUDA, and one that takes the GPU if torch says that there is one."""

from __future__ import annotations

START = """
import torch

print("built for", torch.version.cuda)
try:
    torch.cuda.init()
except RuntimeError as error:
    if "cudaGetDeviceCount" in str(error):
        raise
    print("past the driver's check")  # what stands in has no GPU
"""
CHOOSE = """
import torch

print("device:", "cuda" if torch.cuda.is_available() else "cpu")
"""
SET_INSIDE = "import os, sys; os.environ['LD_LIBRARY_PATH'] = sys.argv[1]\n"
