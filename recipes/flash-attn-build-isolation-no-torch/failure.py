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
Path("flash_attn.py").write_text(f"BUILT_WITH = {torch.__version__!r}")
setup(name="flash-attn", version="2.8.3", py_modules=["flash_attn"])
"""


def package(*, declared: bool = False) -> None:
    """Write the package as an index has it, its source; ``declared``: it says what it needs."""
    requires = '"setuptools", "torch"' if declared else '"setuptools"'
    texts = {
        "pyproject.toml": BUILD.format(requires=requires),
        "setup.py": SETUP,
        "PKG-INFO": "Metadata-Version: 2.1\nName: flash-attn\nVersion: 2.8.3\n",
    }
    archived = Path("links/flash_attn-2.8.3.tar.gz")
    with tarfile.open(archived, "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(f"flash_attn-2.8.3/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def run(command: str) -> str:
    """Run a command with the pip or uv of this very interpreter, and return what it printed."""
    found = importlib.util.find_spec("uv" if "uv pip" in command else "pip")
    folder = str(Path(found.origin).parents[1]) if found and found.origin else ""
    env = {name: text for name, text in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    env |= {"PIP_CONFIG_FILE": os.devnull, "PYTHONPATH": folder if "site-" not in folder else ""}
    env |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_FIND_LINKS": "links"}
    env |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], env=env, text=True, capture_output=True, check=False
    )
    print(done.stdout + done.stderr)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout
