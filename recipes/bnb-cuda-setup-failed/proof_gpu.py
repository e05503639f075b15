"""A CPU build of torch that says it is for CUDA and has a GPU, and libraries of names alone."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import torch
import torch._inductor.compile_fx  # bitsandbytes does: here it is done once for all steps
import torch.utils._triton

from fixbook.recipe.author.skip import skip

CUDA_12 = "libbitsandbytes_cuda128.so"
CUDA_13 = "libbitsandbytes_cuda130.so"


def package() -> Path:
    """Return the folder of bitsandbytes; it is not imported."""
    found = importlib.util.find_spec("bitsandbytes")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def say_cuda(version: str) -> None:
    """Let torch answer, when bitsandbytes asks, as a build for CUDA with one GPU does."""
    if torch.version.cuda or torch.version.hip:
        skip(f"torch {torch.__version__} is no CPU build")
    toolkit = Path(f"/usr/local/cuda-{version}")
    if [*toolkit.glob("targets/*/lib/libcublas.so*")]:
        skip(f"bitsandbytes looks into {toolkit} too, and finds libraries")
    torch.version.cuda = version
    answers = {"is_available": True, "device_count": 1, "get_device_capability": (9, 0)}
    for name, answer in answers.items():
        setattr(torch.cuda, name, lambda *_, answer=answer: answer)
    torch.cuda.device = int  # type: ignore[assignment,misc]
    torch._C._cuda_getCurrentRawStream = int  # type: ignore[assignment]
    torch.utils._triton.has_triton = bool  # type: ignore[assignment]


def compile_libraries(binary: str, folder: Path) -> list[Path]:
    """Compile what a file of bitsandbytes wants of CUDA: its functions, which do nothing."""
    file = str(package() / binary)
    wanted: dict[str, list[str]] = {}
    for name in re.findall(r"\[(lib(?:cu|nv)\S+)\]", _said("readelf", "-d", file)):
        wanted[name] = []
    for symbol, name in re.findall(r"(\w+)@(libcu\S+)", _said("nm", "-D", "-u", file)):
        wanted[name].append(symbol)
    folder.mkdir(parents=True)
    return [_compile(folder / name, symbols) for name, symbols in sorted(wanted.items())]


def files() -> str:
    """Name the versions of CUDA that this release has a file for."""
    names = [file.stem for file in package().glob("libbitsandbytes_cuda*.so")]
    return " ".join(sorted(name.rpartition("cuda")[2] for name in names))


def bring(libraries: list[Path]) -> list[str]:
    """Load them, as torch loads what it brings; return those that the process has now."""
    for library in libraries:
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    maps = Path("/proc/self/maps").read_text("utf-8")
    return sorted(set(re.findall(r"(lib(?:cudart|cublas)\.so\.\d+)$", maps, re.MULTILINE)))


def replace_cpu_library(by: str) -> str:
    """Copy the package, with another file in the place of the CPU's; import comes from there."""
    folder = Path("site/bitsandbytes").resolve()
    folder.mkdir(parents=True)
    for file in package().iterdir():
        source = package() / by if file.name == "libbitsandbytes_cpu.so" else file
        (folder / file.name).symlink_to(source)
    sys.path.insert(0, str(folder.parent))
    importlib.invalidate_caches()
    return (package() / "libbitsandbytes_cpu.so").resolve().name


def import_sources() -> str:
    """Copy the package as a checkout has it, with nothing compiled; import comes from there."""
    folder = Path("checkout/bitsandbytes").resolve()
    folder.mkdir(parents=True)
    for file in package().iterdir():
        if file.suffix != ".so":
            (folder / file.name).symlink_to(file)
    sys.path.insert(0, str(folder.parent))
    importlib.invalidate_caches()
    return str(package().relative_to(Path.cwd()))


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _compile(target: Path, names: list[str]) -> Path:
    source = "\n".join(f"int {name}(void) {{ return 0; }}" for name in names)
    script = target.with_suffix(".map")
    script.write_text(f"{target.name} {{ global: *; }};", "utf-8")
    options = [f"-Wl,-soname,{target.name}", f"-Wl,--version-script={script}", "-o", str(target)]
    command = ["cc", "-shared", "-fPIC", *options, "-x", "c", "-"]
    subprocess.run(command, input=source, text=True, check=True)
    return target
