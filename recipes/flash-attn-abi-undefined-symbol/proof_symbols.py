"""The extension compiled in all ways, imported, and its missing symbol read by the page's code."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from typing import Any

import torch
from failure import NAME, QUANTISE, TORCH, ZEROS, compile_it, import_it, source

from fixbook.recipe import measure, snippet, snippet_text

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
# The operator before torch took std::optional: mangled, it is the symbol of sglang 851.
OLD_ZEROS = """
namespace c10 {
  class SymInt; enum class ScalarType; enum class Layout; struct Device;
  template <class T> class ArrayRef; template <class T> class optional;
}
namespace at { class Tensor; }
namespace at::_ops { struct zeros { static at::Tensor call(
  c10::ArrayRef<c10::SymInt>, c10::optional<c10::ScalarType>, c10::optional<c10::Layout>,
  c10::optional<c10::Device>, c10::optional<bool>); }; }
"""
SETUP = f"""
import os, sysconfig
from setuptools import Extension, setup
built = Extension("{NAME}", ["extension.cpp"], include_dirs=os.environ["HEADERS"].split(),
                  extra_compile_args=["-std=c++20"], libraries=["c10", "torch_cpu"],
                  library_dirs=["{TORCH / "lib"}"])
setup(name="flash-attn", version="2.8.3", ext_modules=[built])
"""


def other_headers() -> str:
    """Write the headers of another torch."""
    for name in ZEROS:
        header = Path("other", f"{name}.h")
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(OLD_ZEROS if name.endswith("zeros_ops") else "")
    return str(Path("other").absolute())


def compiled(part: str, *, other_torch: bool = False, new_strings: int = 1) -> None:
    """Compile one part."""
    headers = other_headers() if other_torch else ""
    compile_it(source(part), f"{NAME}{SUFFIX}", headers=headers, new_strings=new_strings)


def run(
    part: str, *, other_torch: bool = False, new_strings: int = 1, kernels_first: bool = False
) -> dict[str, Any]:
    """Compile, import, and call it."""
    compiled(part, other_torch=other_torch, new_strings=new_strings)
    first = "./libkernels.so" if kernels_first else ""
    if first:
        compile_it(f"{QUANTISE} {{}}", first)
    return {"forward": import_it(first).forward(64)}


def check() -> dict[str, Any]:
    """Run the page's check."""
    measure(abi=torch.compiled_with_cxx11_abi())
    try:
        snippet("which")
    except ImportError as error:
        symbol = str(error).partition("undefined symbol: ")[2]
        measure(old_strings="RKSs" in symbol, of_cuda="4cuda" in symbol)
        return {"found": bool(symbol), "symbol": symbol}
    return {"found": False, "symbol": ""}


def read(part: str, **how: Any) -> dict[str, Any]:
    """Let the page look at it."""
    compiled(part, **how)
    sys.path.insert(0, ".")
    return check()


def pip(command: str, headers: str, folder: str = ".") -> str:
    """Run a command of the page, with what it needs from an index in a folder here."""
    paths = {"PIP_TARGET": "site", "PIP_CACHE_DIR": "cache", "PIP_FIND_LINKS": "dist"}
    environment = {key: str(Path(value).absolute()) for key, value in paths.items()} | {
        "PIP_NO_INDEX": "1",
        "PIP_UPGRADE": "1",
        "HEADERS": f"{headers} {TORCH / 'include'}".strip(),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    every = {**os.environ, **environment}
    return subprocess.check_output(["bash", "-c", command], env=every, cwd=folder, text=True)


def publish() -> Path:
    """Write the source distribution that pip finds."""
    folder = Path("flash_attn-2.8.3")
    folder.mkdir()
    Path("dist").mkdir()
    (folder / "setup.py").write_text(SETUP)
    (folder / "extension.cpp").write_text(source("zeros"))
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: flash-attn\nVersion: 2.8.3\n")
    with tarfile.open("dist/flash_attn-2.8.3.tar.gz", "w:gz") as archive:
        archive.add(folder)
    return folder


def use() -> dict[str, Any]:
    """Import what was installed, and call it."""
    sys.path.insert(0, "site")
    measure(**check())
    return {"forward": import_it().forward(64)}


def after_an_upgrade(*, again: str = "") -> dict[str, Any]:
    """Install it beside one torch, replace that torch, install again or not, import."""
    publish()
    command = snippet_text("past-the-cache")
    cached = command.replace(" --no-cache-dir", "")
    said = pip(cached, other_headers())
    if again:
        said += pip(cached if again == "from the cache" else command, "")
    measure(installed=said.count("Successfully installed flash-attn"))
    return use()


def from_its_folder(*, clean: bool = False) -> dict[str, Any]:
    """Install the folder beside one torch, replace that torch, install it again, import."""
    folder = publish()
    command = snippet_text("own-build")
    pip(command, other_headers(), str(folder))
    pip(command if clean else command.replace("rm -rf build\n", ""), "", str(folder))
    return use()
