"""A package whose setup.py imports torch and does not say so, as flash-attn's does."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

BUILD = '[build-system]\nrequires = [{requires}]\nbuild-backend = "setuptools.build_meta"\n'
SETUP = """
from pathlib import Path
import torch
from setuptools import setup
Path("kernels.py").write_text(f"BUILT_WITH = {torch.__version__!r}")
setup(name="kernels", version="1.0", py_modules=["kernels"])
"""


def package(*, declared: bool = False) -> str:
    """Write the package as PyPI has it, a source archive; ``declared``: it says what it needs."""
    requires = '"setuptools", "torch"' if declared else '"setuptools"'
    texts = {
        "pyproject.toml": BUILD.format(requires=requires),
        "setup.py": SETUP,
        "PKG-INFO": "Metadata-Version: 2.1\nName: kernels\nVersion: 1.0\n",
    }
    with tarfile.open("kernels-1.0.tar.gz", "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(f"kernels-1.0/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return "kernels-1.0.tar.gz"


def run(tool: str, *arguments: str, variables: dict[str, str] | None = None) -> str:
    """Call pip or uv of this very interpreter, without an index, and return what it printed."""
    found = importlib.util.find_spec(tool.split(maxsplit=1)[0])
    folder = str(Path(found.origin).parents[1]) if found and found.origin else ""
    env = {name: text for name, text in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    env |= {"PIP_CONFIG_FILE": os.devnull, "PYTHONPATH": folder if "site-" not in folder else ""}
    command = [sys.executable, "-m", *tool.split(), "install", "--no-index", *arguments]
    done = subprocess.run(
        command, env=env | (variables or {}), text=True, capture_output=True, check=False
    )
    print(done.stdout + done.stderr)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout
