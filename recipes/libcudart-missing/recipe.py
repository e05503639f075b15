"""An extension needs the runtime of another major version of CUDA than the loader finds."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from failure import PROGRAM, SET_INSIDE, build, runtime

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import run_python

RUNTIMES: dict[str, Any] = {
    "versions": ["nvidia-cuda-runtime-cu12==12.8.90", "nvidia-cuda-runtime==13.0.96"],
    "programs": ["cc", "ldd"],
    "record_once": "two packages that these steps alone need, and a compiler",
}


def prepare(built_for: int) -> None:
    """Build the extension, with what that takes."""
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        skip("Python.h is not installed")
    build(built_for)


def run(
    built_for: int = 12, *, path: Path | None = None, before: str = "", argument: str = ""
) -> dict[str, Any]:
    """Import the extension in a process of its own, with a folder for the loader to look in."""
    prepare(built_for)
    folders = {"LD_LIBRARY_PATH": str(path or "")}
    done = run_python(before + PROGRAM, argument, env=folders)
    if done.returncode:
        raise SystemExit(done.returncode)
    return {"runtime": int(re.findall(r"\d+", done.stdout)[-1])}


def linked() -> Path:
    """Give the runtime of CUDA 13 the name of the one that is missing."""
    folder = Path("linked").resolve()
    folder.mkdir()
    (folder / "libcudart.so.12").symlink_to(runtime(13))
    measure(link=(folder / "libcudart.so.12").resolve().name)
    return folder


def ask(built_for: int = 12, *, path: Path | None, cuda: str = "13.0") -> dict[str, Any]:
    """Run the page's check beside torch for a CUDA; the loader looks in a folder, or in none."""
    prepare(built_for)
    sys.path.insert(0, str(Path.cwd()))
    os.environ["LD_LIBRARY_PATH"] = str(path or "")
    missing = snippet("missing")["missing"]("attention_cuda", cuda)
    return {"found": bool(missing), "missing": missing}


@reproduce(**RUNTIMES)
def no_runtime() -> dict[str, Any]:
    """Built for CUDA 12, and the loader has no folder to look in."""
    return run()


@reproduce(**RUNTIMES)
def runtime_of_13() -> dict[str, Any]:
    """The runtime of CUDA 13 is there."""
    return run(path=runtime(13).parent)


@reproduce(**RUNTIMES)
def path_set_inside_python() -> dict[str, Any]:
    """The right folder, set after the process was started."""
    return run(before=SET_INSIDE, argument=str(runtime(12).parent))


@fix("same-major", control="runtime-of-13", **RUNTIMES)
def built_for_13() -> dict[str, Any]:
    """The extension is built for the CUDA that is there."""
    return run(13, path=runtime(13).parent)


@fix("right-runtime", control="runtime-of-13", **RUNTIMES)
def runtime_of_12() -> dict[str, Any]:
    """The folder holds the runtime that it was built for."""
    return run(path=runtime(12).parent)


@fix("torch-again", control="no-runtime", **RUNTIMES)
def runtime_there() -> dict[str, Any]:
    """The package that was missing is there."""
    return run(path=runtime(12).parent)


@fix("load-it-first", control="no-runtime", **RUNTIMES)
def loaded_first() -> dict[str, Any]:
    """The runtime from pip is loaded before the extension."""
    return run(before=snippet_text("load-first"))


@non_fix("symlink", control="no-runtime", **RUNTIMES)
def symlinked() -> dict[str, Any]:
    """The name is there; the loader asks for the versions of its symbols too."""
    return run(path=linked())


@detect(found=True, **RUNTIMES)
def asks_without_a_runtime() -> dict[str, Any]:
    """Nothing to be found."""
    return ask(path=None)


@detect(found=False, control="asks-without-a-runtime", **RUNTIMES)
def asks_with_the_runtime() -> dict[str, Any]:
    """It is there."""
    return ask(path=runtime(12).parent)


@detect(found=False, control="asks-without-a-runtime", **RUNTIMES)
def asks_where_torch_brings_it() -> dict[str, Any]:
    """The loader finds none, as with any wheel beside pip's torch, which loads it itself."""
    return ask(path=None, cuda="12.8")


@detect(found=True, **RUNTIMES)
def asks_beside_13() -> dict[str, Any]:
    """The runtime of CUDA 13 alone."""
    return ask(path=runtime(13).parent)


@detect(found=False, control="asks-beside-13", **RUNTIMES)
def asks_the_build_for_13() -> dict[str, Any]:
    """The same runtime, and the extension built for it: the recommended fix."""
    return ask(13, path=runtime(13).parent)


if __name__ == "__main__":
    main(__file__)
