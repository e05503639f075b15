"""The loader takes a toolkit's libnvJitLink for the one that came with torch."""
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
from pathlib import Path
from typing import Any

from failure import CUGRAPH, NEW, NEWEST, NVJITLINK, OLD, SITE, TOOLKIT, install

from fixbook.recipe import detect, fix, main, measure, reproduce, run_snippet
from fixbook.recipe.helpers import run_python

IMPORT = 'import os\nprint("in force:", os.environ.get("LD_LIBRARY_PATH"))\nimport torch\n'
DELETED = 'import os\ndel os.environ["LD_LIBRARY_PATH"]\n'
OTHERS = f"import ctypes\nprint(ctypes.CDLL({str(CUGRAPH)!r}).said())\n"
BOTH = f"{NVJITLINK}:{TOOLKIT}"


def environment(path: str) -> dict[str, str]:
    """Return the variables of a shell whose search path this is, relative to the step's folder.

    Without a path the variable is gone, as after ``unset``.
    """
    os.environ.pop("LD_LIBRARY_PATH", None)
    folders = [str(Path(one).absolute()) for one in path.split(":") if one]
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    site = str(SITE.absolute())
    there = {"LD_LIBRARY_PATH": ":".join(folders)} if folders else {}
    return {**there, "PYTHONPATH": site, "PATH": programs}


def run(*, path: str = str(TOOLKIT), before: str = "", wheel: str = NEW) -> dict[str, Any]:
    """Start Python with this search path, and import torch."""
    install(wheel=wheel)
    done = run_python(f"{before}{IMPORT}print(torch.answer)", env=environment(path))
    first, *_, last = done.stdout.splitlines()
    measure(variable=first.removeprefix("in force: ").replace(f"{Path().absolute()}/", ""))
    if done.returncode:
        sys.exit(done.returncode)
    return {"answer": int(last)}


def beside(*, wheel: str = NEW) -> dict[str, Any]:
    """Import torch, and load a library of others that was built against a newer toolkit."""
    install(wheel=wheel)
    started = environment("")
    answer = run_python(f"{IMPORT}print(torch.answer)", env=started)
    measure(answer=int(answer.stdout.split()[-1]))
    done = run_python(OTHERS, env=started)
    if done.returncode:
        sys.exit(done.returncode)
    return {"other": int(done.stdout)}


def ask(*, path: str = str(TOOLKIT)) -> dict[str, Any]:
    """Ask the page which file was taken before the error; the one from pip is too old as well."""
    install(wheel=OLD)
    printed = run_snippet("which", env=environment(path)).stdout
    said, error, _ = printed.partition("undefined symbol")
    files = re.findall(r"trying file=(\S+)", said)
    measure(failed=bool(error))
    here = os.path.relpath(os.path.realpath(files[-1]), Path().absolute())
    return {"found": not here.startswith(str(NVJITLINK)), "loaded": here}


@reproduce(programs=["cc"])
def toolkit_first() -> dict[str, Any]:
    """The search path names the toolkit."""
    return run()


@fix("unset", control="toolkit-first", programs=["cc"])
def nothing_set() -> dict[str, Any]:
    """There is no search path."""
    return run(path="")


@fix("wheel-first", control="toolkit-first", programs=["cc"])
def wheel_first() -> dict[str, Any]:
    """The wheel's folder stands before it."""
    return run(path=BOTH)


@reproduce(programs=["cc"])
def deleted_inside_python() -> dict[str, Any]:
    """Gone from os.environ before torch is imported."""
    return run(before=DELETED)


@reproduce(programs=["cc"])
def wheel_too_old() -> dict[str, Any]:
    """No search path, and a wheel from before."""
    return run(path="", wheel=OLD)


@fix("newer-wheel", control="wheel-too-old", programs=["cc"])
def wheel_upgraded() -> dict[str, Any]:
    """The wheel that belongs to cuSPARSE."""
    return run(path="", wheel=NEW)


@reproduce(programs=["cc"])
def library_of_others() -> dict[str, Any]:
    """Torch is content with its wheel, and the other library is not."""
    return beside()


@fix("newer-wheel", control="library-of-others", programs=["cc"])
def library_of_others_upgraded() -> dict[str, Any]:
    """A newer wheel, with which torch works as before."""
    return beside(wheel=NEWEST)


@detect(found=True, programs=["cc"])
def finds_the_toolkit() -> dict[str, Any]:
    """It is the toolkit's."""
    return ask()


@detect(found=False, control="finds-the-toolkit", programs=["cc"])
def finds_the_wheel() -> dict[str, Any]:
    """It is the wheel's."""
    return ask(path="")


if __name__ == "__main__":
    main(__file__)
