"""Which build of torch this is, what pip would do about it, and CUDA's runtime beside it."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.metadata
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pip
import torch

from fixbook.recipe import measure, run_snippet, snippet
from fixbook.recipe.author.skip import skip

RELEASE = torch.__version__.partition("+")[0]


def needs_the_cpu_build() -> None:
    """Skip where torch is built for CUDA."""
    if torch.version.cuda or torch.version.hip:
        skip(f"torch {torch.__version__} is no CPU build")


def build() -> dict[str, Any]:
    """Run what the page offers."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("which-build")
    said = printed.getvalue().strip().removeprefix(f"{sys.executable} ")
    return {"found": said.endswith("None"), "said": said}


def publish(build: str, cuda: str, folder: str) -> str:
    """Write wheels that are there for pip to choose: a version, and nothing else in them."""
    Path(folder).mkdir(exist_ok=True)
    for name in ("torch", "torchvision"):
        version = f"{RELEASE}+{build}"
        info = f"{name}-{version}.dist-info"
        texts = {
            f"{name}/version.py": f"__version__ = {version!r}\ncuda = {cuda}\n",
            f"{name}/__init__.py": f"from {name} import version\n__version__ = {version!r}\n",
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        texts[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in texts)
        with zipfile.ZipFile(Path(folder, f"{name}-{version}-py3-none-any.whl"), "w") as wheel:
            for file, text in texts.items():
                wheel.writestr(file, text)
    return folder


def ask_pip() -> str:
    """Let pip say what it would install, in the environment that has the CPU build."""
    command = [sys.executable, "-m", "pip", "--isolated", "install", "--dry-run", "--no-deps"]
    command += ["--no-index", "--find-links", publish("cu130", "'13.0'", "index")]
    command += [f"torch=={RELEASE}"]
    env = os.environ | {"PIP_CONFIG_FILE": os.devnull}  # a machine may constrain torch for all
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    sys.stdout.write(done.stdout)
    installs = re.findall(r"Would install (.+)", done.stdout)
    measure(would_install=" ".join(installs), satisfied="already satisfied" in done.stdout)
    return " ".join(installs)


def replace() -> str:
    """Follow the page in an environment that has the CPU build; pip asks a folder, no index."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], check=True)
    programs = Path("env/bin").resolve()
    packages = next(Path("env").glob("lib/python*/site-packages"))
    (packages / "pip").symlink_to(Path(str(pip.__file__)).parent)
    cpu = next(Path(publish("cpu", "None", "cpu")).glob("torch-*.whl"))
    index = Path(publish("cu130", "'13.0'", "index")).resolve()
    env = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index), "PYTHONPATH": ""}
    env |= {"PATH": f"{programs}:{os.environ['PATH']}", "PIP_CONFIG_FILE": os.devnull}
    install = [str(programs / "python"), "-m", "pip", "install", str(cpu)]
    subprocess.run(install, env=os.environ | env, check=True)
    return run_snippet("replace", env=env).stdout.strip().splitlines()[-1]


def load_the_runtime() -> None:
    """Load CUDA's runtime from its own package, and ask it for its version."""
    files = importlib.metadata.files("nvidia-cuda-runtime") or []
    library = next(file for file in files if file.name.startswith("libcudart.so."))
    version = ctypes.c_int()
    ctypes.CDLL(str(library.locate())).cudaRuntimeGetVersion(ctypes.byref(version))
    measure(runtime=version.value)


def place(*, ask: bool = False) -> dict[str, Any]:
    """Move a model where the script says, or to the device that the page's code finds."""
    model = torch.nn.Linear(4, 2)
    model = snippet("device", model=model)["model"] if ask else model.to("cuda")
    return {"device": str(model.weight.device)}
