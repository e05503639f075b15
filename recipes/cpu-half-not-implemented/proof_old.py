"""A torch of 2023 or 2024 beside today's, on the CPU; imported before torch is.

PyPI has these releases for Linux as builds for CUDA alone. What they link to and do not find is
replaced by libraries whose functions do nothing. The code for the CPU is torch's own.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

_WANTED = re.compile(r"\bU (\w+)@(lib[\w.-]+)")
_MISSING = re.compile(r"(\S+) => not found")


def stand_in() -> None:
    """Load a library of the name of each that is missing, with the functions asked of it."""
    spec = importlib.util.find_spec("torch")
    folder = Path(str(spec and spec.origin)).with_name("lib")
    if not (folder / "libtorch_cuda.so").is_file():
        return
    files = [str(path) for path in sorted(folder.glob("lib*.so"))]
    wanted = defaultdict(set)
    listed = _run("nm", "-D", "--with-symbol-versions", "--undefined-only", *files)
    for name, library in _WANTED.findall(listed):
        wanted[library].add(name)
    made = Path(tempfile.mkdtemp())
    for library in sorted(set(_MISSING.findall(_run("ldd", *files)))):
        _load(made / library, sorted(wanted[library]))
    sys.setdlopenflags(os.RTLD_LAZY)


def _load(target: Path, names: list[str]) -> None:
    source = "".join(f"int {name}(void) {{ return 0; }}\n" for name in names)
    versions = target.with_suffix(".map")
    versions.write_text(f"{target.name} {{ global: *; }};\n", encoding="utf-8")
    script = [f"-Wl,--version-script={versions}"] if names else []
    options = ["-w", "-fno-builtin", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", *script]
    command = ["cc", *options, "-o", str(target), "-x", "c", "-"]
    subprocess.run(command, input=source, text=True, check=True)
    ctypes.CDLL(str(target), ctypes.RTLD_GLOBAL)


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if os.environ.get("STAND_IN_LIBRARIES"):
    stand_in()
