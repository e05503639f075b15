"""Which build of torch this is, what pip would do about it, and CUDA's runtime beside it."""

from __future__ import annotations

import ctypes
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import torch

from fixbook.recipe import measure, snippet
from fixbook.recipe.author.skip import skip

RELEASE = torch.__version__.partition("+")[0]
CUDA_WHEEL = f"torch-{RELEASE}+cu130"


def needs_the_cpu_build() -> None:
    """Skip where torch is built for CUDA."""
    if torch.version.cuda or torch.version.hip:
        skip(f"torch {torch.__version__} is no CPU build")


def build() -> dict[str, Any]:
    """Run what the page offers."""
    try:
        said = snippet("which-build")["version"]
    except RuntimeError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": said}


def publish() -> Path:
    """Write a wheel that is there for pip to choose: its name, and nothing in it."""
    name, _, version = CUDA_WHEEL.partition("-")
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    Path("index").mkdir()
    with zipfile.ZipFile(f"index/{CUDA_WHEEL}-py3-none-any.whl", "w") as wheel:
        for file, text in about.items():
            wheel.writestr(f"{CUDA_WHEEL}.dist-info/{file}", text)
    return Path("index")


def ask_pip(*options: str) -> str:
    """Let pip say what it would install, in the environment that has the CPU build."""
    command = [sys.executable, "-m", "pip", "--isolated", "install", "--dry-run", "--no-deps"]
    command += ["--no-index", "--find-links", str(publish()), *options, f"torch=={RELEASE}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    sys.stdout.write(done.stdout)
    installs = re.findall(r"Would install (.+)", done.stdout)
    measure(would_install=" ".join(installs), satisfied="already satisfied" in done.stdout)
    return " ".join(installs)


def load_the_runtime() -> None:
    """Load CUDA's runtime from its own package, and ask it for its version."""
    files = importlib.metadata.files("nvidia-cuda-runtime") or []
    library = next(file for file in files if file.name.startswith("libcudart.so."))
    version = ctypes.c_int()
    ctypes.CDLL(str(library.locate())).cudaRuntimeGetVersion(ctypes.byref(version))
    measure(runtime=version.value)
