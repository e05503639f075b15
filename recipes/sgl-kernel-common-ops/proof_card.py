"""A card, and the libraries of CUDA, which stand in; imported before torch is.

SGLang's kernels link CUDA's runtime, its driver and its math libraries. An empty library stands in
for each that is not there, and what the kernels call of them is a function that answers 0. What
they want of torch is left alone: the published torch has it, or has not.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
import importlib.util
import os
import re
import subprocess
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import stand_in_cuda, stand_in_gpu

_NAMES = "cuda|cudart|cublas|cublasLt|nvrtc"
_NEEDED = re.compile(rf"Shared library: \[(lib(?:{_NAMES})\.so\.\d+)\]")
_CALLED = re.compile(r"^_*(?:cu|nvrtc)[A-Za-z]\w*$")


def as_in_the_wheel() -> bool:
    """Tell whether the libraries are byte for byte those that the wheel lists."""
    found = [file for file in distribution("sglang-kernel").files or [] if file.suffix == ".so"]
    return bool(found) and all(
        file.hash is not None and file.hash.value == _digest(Path(str(file.locate())))
        for file in found
    )


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").digest()
    return base64.urlsafe_b64encode(found).rstrip(b"=").decode()


def put_in(card: str) -> None:
    """Let a card of this capability, such as "90", stand in, and CUDA's libraries.

    Args:
        card: Its compute capability; "none" for a machine without a driver.
    """
    lacks = set()
    if card == "none":
        lacks.add("libcuda.so.1")
        stand_in_cuda()
    else:
        os.environ["FIXBOOK_GPU_CAPABILITY"] = card
        stand_in_gpu(values=False)
    spec = importlib.util.find_spec("sgl_kernel")
    kernels = sorted(Path(str(spec and spec.origin)).parent.rglob("*.so"))
    calls = {line.split()[-1].partition("@")[0] for line in _said("nm", "-D", *kernels)}
    wanted = sorted(name for name in calls if _CALLED.match(name) and not _known(name))
    body = "\n".join(f"int {name}(void) {{ return 0; }}" for name in wanted)
    _loaded("libcalled.so", body)
    listed = "\n".join(_said("readelf", "-d", *kernels))
    if "libnuma.so.1" in listed and not _there("libnuma.so.1"):
        skip("libnuma.so.1 is not installed, which these kernels need")
    needed = set(_NEEDED.findall(listed))
    for name in sorted(needed - lacks):
        if not _there(name):
            _loaded(name, "")


def _said(*command: str | Path) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if line.strip()]


def _known(name: str) -> bool:
    return hasattr(ctypes.CDLL(None), name)


def _there(name: str) -> bool:
    try:
        ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


def _loaded(name: str, source: str) -> None:
    target = Path(tempfile.mkdtemp()) / name
    command = ["cc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(target)]
    subprocess.run([*command, "-xc", "-"], input=source, text=True, check=True)
    ctypes.CDLL(str(target), ctypes.RTLD_GLOBAL)


if card := os.environ.get("STAND_IN_CARD"):
    put_in(card)
