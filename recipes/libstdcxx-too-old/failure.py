"""Programs that import torch, and a library of a conda environment beside it."""

from __future__ import annotations

from pathlib import Path

ENV = Path("miniconda3", "envs", "llm")
SITE = ENV / "lib" / "python3.11" / "site-packages"
ALONE = """
import os

print("in force:", os.environ.get("LD_LIBRARY_PATH"))
import torch

print("sum:", torch.ones(2).sum().item())
"""
LATE = f"""
import os

os.environ["LD_LIBRARY_PATH"] = "{ENV}/lib"
{ALONE}"""
CONDA_FIRST = f"import snappy\n{ALONE}"
# What conda builds carries a path to the folder of libraries of its environment.
SNAPPY = """
import ctypes
from pathlib import Path

ctypes.CDLL(str(Path(__file__).with_name("_snappy.so")))
"""


def install_snappy() -> None:
    """Put a module of the environment where its Python finds it; it needs libstdc++."""
    (SITE / "snappy").mkdir(parents=True)
    (SITE / "snappy" / "__init__.py").write_text(SNAPPY)
