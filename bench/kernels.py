"""Compile what recipes compile for a GPU, for GPUs of several generations, without one.

    python -m bench.kernels           prints a table; ends with 1 where one is refused

CUDA's own compiler and assembler do it, as pip brings them: those that a recipe of the book uses.
Text of a kernel is found where it stands in a recipe; transformers' kernels of RWKV are in its
release. What inductor and Triton write is in `bench.triton_kernels`.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.book import load_book
from fixbook.recipe.reading import read_outline
from fixbook.recipe.running import has_overlay, overlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book

ARCHITECTURES = ("sm_80", "sm_90", "sm_120")  # A100, H100, RTX 5090
_TOOLKIT = "cuda-home-not-set", "nvidia-cuda-nvcc"
_RWKV = "rwkv-hf-backward-writes-past-batch"
_BY_HAND, _DEVICE, _JITERATED = "__global__", "__device__", "_create_jit_fn"
_ATEN = '#include "ATen/ATen.h"'
_BFLOAT16 = "#include <c10/util/BFloat16.h>\nnamespace at { using c10::BFloat16; }"
_NAME = re.compile(r"\bT (\w+)\(")
_FOLDERS = re.compile(r"(?<!\S)/\S+/")
_MOST = 300  # characters of a compiler's message


@dataclass(frozen=True, slots=True)
class Kernel:
    """A source with kernels in it.

    Attributes:
        slug: The entry whose recipe compiles it.
        name: Where it stands.
        text: The source.
        options: For the compiler.
    """

    slug: str
    name: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of a source for one architecture.

    Attributes:
        kernel: The source.
        architecture: Such as ``sm_90``.
        refused: What the compiler said against it; empty if nothing.
        seconds: How long it took.
    """

    kernel: Kernel
    architecture: str
    refused: str
    seconds: float


def kernels_in(folder: Path) -> Iterator[Kernel]:
    """Yield the kernels whose text stands in a recipe.

    Args:
        folder: The folder of an entry.
    """
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8")
        if _BY_HAND not in text and _JITERATED not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                source = _source(node.value, jiterated=_JITERATED in text)
                if source:
                    yield Kernel(folder.name, f"{path.name}:{node.lineno}", source)


def _source(text: str, *, jiterated: bool) -> str:
    """Return a text that can be compiled; empty if it is no kernel's."""
    if re.search(rf"{_BY_HAND} \w", text):
        return text
    name = _NAME.search(text) if jiterated and text.startswith("template") else None
    if name is None:
        return ""
    on_gpu = _NAME.sub(rf"{_DEVICE} T {name[1]}(", text, count=1)  # as torch tells its compiler to
    call = f'extern "C" {_BY_HAND} void called(float *x) {{ *x = {name[1]}<float>(*x); }}'
    return f"{on_gpu}\n{call}\n"


def kernels_of_rwkv(book: Book) -> Iterator[Kernel]:
    """Yield the kernels that transformers shipped up to its last release with RWKV's.

    ATen gives way to the one type of it that they name: all of its headers would be read for it.

    Args:
        book: The book; its recipe names the release.
    """
    folder = _brought(book, _RWKV, "transformers")
    torch = importlib.util.find_spec("torch")
    headers = Path(str(torch and torch.origin)).parent / "include"
    for path in sorted((folder / "transformers/kernels/rwkv").glob("*.cu")):
        text = path.read_text("utf-8").replace(_ATEN, _BFLOAT16)
        yield Kernel(
            _RWKV, f"transformers/kernels/rwkv/{path.name}", text, ("-DTmax=6", f"-I{headers}")
        )


def kernels(book: Book) -> Iterator[Kernel]:
    """Yield all kernels that recipes of a book compile."""
    for item in book.entries.values():
        yield from kernels_in(item.folder)
    if _RWKV in book.entries:
        yield from kernels_of_rwkv(book)


@dataclass(frozen=True, slots=True)
class Compiler:
    """CUDA's compiler from PyPI.

    Attributes:
        home: Where it is installed, with its headers.
    """

    home: Path

    def __call__(self, kernel: Kernel, architecture: str) -> Compiled:
        """Compile a source to machine code of one architecture."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="kernel-") as name:
            source = Path(name) / "kernel.cu"
            source.write_text(kernel.text, "utf-8")
            command = [str(self.home / "bin/nvcc"), "-cubin", f"-arch={architecture}"]
            command += ["-std=c++17", "--threads=0", "-w", *kernel.options, str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=name)
        said = done.stdout + done.stderr if done.returncode else ""
        short = " ".join(_FOLDERS.sub("", said).split())[:_MOST]
        return Compiled(kernel, architecture, short, time.monotonic() - began)


def compiler(book: Book) -> Compiler:
    """Return the compiler that a recipe of a book brings, installing it if need be."""
    folder = _brought(book, *_TOOLKIT)
    return Compiler(next(folder.glob("nvidia/cu*/bin/nvcc")).parents[1])


def are_there(book: Book) -> bool:
    """Tell whether the compiler and the kernels of RWKV are installed; 270 MB else to load."""
    return all(has_overlay(_versions(book, *one)) for one in (_TOOLKIT, (_RWKV, "transformers")))


def _brought(book: Book, slug: str, package: str) -> Path:
    """Return the folder of a package as a recipe brings it."""
    folder = overlay(_versions(book, slug, package))
    if folder is None:
        raise LookupError(f"{package} is part of the main environment")
    return folder


def _versions(book: Book, slug: str, package: str) -> tuple[str, ...]:
    """Return the releases of the first step that asks for a package."""
    steps = read_outline(book.get(slug).recipe).steps.values()
    asked = (tuple(one.needs.versions) for one in steps if not one.needs.with_dependencies)
    return next(one for one in asked if any(text.startswith(f"{package}==") for text in one))


def main() -> int:
    """Print the table."""
    book = load_book()
    compile_one, refused = compiler(book), 0
    print("| entry | source | architecture | s | refused |\n|---|---|---|---:|---|")
    for kernel in kernels(book):
        for architecture in ARCHITECTURES:
            one = compile_one(kernel, architecture)
            refused += bool(one.refused)
            cells = kernel.slug, kernel.name, architecture, f"{one.seconds:.1f}", one.refused
            print(f"| {' | '.join(cells)} |", flush=True)
    return refused and 1


if __name__ == "__main__":
    sys.exit(main())
