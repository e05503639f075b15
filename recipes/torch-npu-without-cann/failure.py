"""A script that asks for an NPU, as a user begins it."""

SCRIPT = """
import torch

print("torch", torch.__version__)
import torch_npu

print("torch_npu", torch_npu.__version__)
"""
