"""Python for the browser: the page checks configurations with `fixbook.config` itself.

A second implementation could not keep up with it (it edits YAML with a round-trip library and
makes unified diffs), so the site carries CPython compiled to WebAssembly. It is loaded only when a
configuration is checked.
"""

from __future__ import annotations

import importlib.util
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.index.cache import RULES, rules_of
from fixbook.text import _
from generator import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book

FOLDER = "python"
_RUNTIME = PROJECT / "node_modules" / "pyodide"
_RUNTIME_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
_ARCHIVE = "fixbook.zip"
_MODULES = (
    "__init__.py",
    "book_root.py",
    "files.py",
    "hub_cache.py",
    "index/__init__.py",
    "index/cache.py",
    "kept.py",
    "laid_out.py",
    "site_address.py",
    "versions.py",
)
# Reads the real tools, which no browser has.
_LEFT_OUT = ("extract/", "refusals.py")


class PythonError(Exception):
    """Python for the browser is not installed; the message says how to mend it."""


def require_runtime() -> None:
    """Check that what is copied is there, before anything that takes long.

    Raises:
        PythonError: The runtime is not installed.
    """
    for name in _RUNTIME_FILES:
        if not (_RUNTIME / name).is_file():
            missing = _RUNTIME / name
            said = _("{path} is missing; scripts/install-javascript installs it")
            raise PythonError(said.format(path=missing))


def write_python(book: Book, out: Path) -> None:
    """Write what the page loads.

    Args:
        book: The book, for the rules of its entries.
        out: The built site, above its languages.

    Raises:
        PythonError: The runtime is not installed.
    """
    folder = out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    require_runtime()
    for name in _RUNTIME_FILES:
        shutil.copyfile(_RUNTIME / name, folder / name)
    (folder / _ARCHIVE).write_bytes(_archive(book))


def _archive(book: Book) -> bytes:
    """Return the checker and the libraries it needs, as one file; the same for the same input."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_files(book)):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _files(book: Book) -> Iterator[tuple[str, bytes]]:
    package = PROJECT / "fixbook"
    for name in _MODULES:
        yield f"fixbook/{name}", (package / name).read_bytes()
    for path in (package / "text").glob("*.py"):
        yield f"fixbook/text/{path.name}", path.read_bytes()
    for path in (package / "config").rglob("*"):
        name = path.relative_to(package / "config").as_posix()
        if path.suffix in {".py", ".json"} and not name.startswith(_LEFT_OUT):
            yield f"fixbook/config/{name}", path.read_bytes()
    yield f"fixbook/_book/{RULES}", json.dumps(rules_of(book), ensure_ascii=False).encode()
    yield from _library("packaging")
    yield from _library("yaml")


def _library(name: str) -> Iterator[tuple[str, bytes]]:
    """The modules of an installed library in pure Python."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise PythonError(_("{name} is not installed; 'make site' installs it").format(name=name))
    folder = Path(spec.origin).parent
    for path in folder.rglob("*.py"):
        yield f"{name.replace('.', '/')}/{path.relative_to(folder).as_posix()}", path.read_bytes()
