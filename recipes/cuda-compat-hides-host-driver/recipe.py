"""A process that loads the libcuda of cuda-compat in its image instead of the host's."""
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
import subprocess
from pathlib import Path
from typing import Any

from failure import CHOOSE, SET_INSIDE, START
from proof_compat import ALONE, folders

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet_text
from fixbook.recipe.helpers import run_python

BUILD: dict[str, Any] = {
    "programs": ["cc", "ldd"],
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
}
CU130: dict[str, Any] = BUILD | {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
CU128: dict[str, Any] = BUILD | {"versions": ["torch==2.10.0", "nvidia-cuda-runtime-cu12==12.8.90"]}
ORDER = ("compat", "host")


def path_of(order: tuple[str, ...]) -> str:
    """Return a search path with these folders."""
    made = folders(13000)
    return os.pathsep.join(str(made[name]) for name in order)


def after(name: str, path: str) -> str:
    """Return the search path after the page's lines."""
    code = f'{snippet_text(name)}\nprintf %s "$LD_LIBRARY_PATH"'
    host = path.rpartition(os.pathsep)[2]
    env = {**os.environ, "LD_LIBRARY_PATH": path, "HOST_LIBRARIES": host}
    done = subprocess.run(["bash", "-c", code], env=env, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def loaded(path: str) -> str:
    """Return the folder that the page's check names, for a process that searches the path."""
    printed = run_python(snippet_text("which"), env={"LD_LIBRARY_PATH": path}).stdout
    return Path(printed.strip()).parent.name


def run(lines: str = "", *, inside: bool = False) -> dict[str, Any]:
    """Start CUDA in a process of its own, after lines of the page or with a path set inside."""
    path = path_of(ORDER)
    path = after(lines, path) if lines else path
    host = path.rpartition(os.pathsep)[2]
    before, argument = (SET_INSIDE, host) if inside else ("", "")
    env = {"LD_LIBRARY_PATH": path}
    done = run_python(before + ALONE + START, argument, env=env, timeout_s=240)
    measure(built_for=re.findall(r"built for ([\d.]+)", done.stdout)[-1])
    if done.returncode:
        raise SystemExit(done.returncode)
    names = [Path(part).name for part in path.split(os.pathsep)]
    return {"names": names, "found": loaded(path) == "compat"}


def ask(order: tuple[str, ...] = ORDER) -> dict[str, Any]:
    """Run the page's check, and what a script does that does not insist on a GPU."""
    path = path_of(order)
    folder = loaded(path)
    printed = run_python(ALONE + CHOOSE, env={"LD_LIBRARY_PATH": path}, timeout_s=240).stdout
    return {
        "found": folder == "compat",
        "loaded": folder,
        "device": printed.rpartition("device:")[2].strip(),
        "warned": "Error 804" in printed,
    }


@reproduce(**CU130)
def compat_first() -> dict[str, Any]:
    """The image's folder is before the host's."""
    return run()


@reproduce(**CU130)
def set_in_python() -> dict[str, Any]:
    """The right path, set after the process was started."""
    return run(inside=True)


@detect(found=True, **CU130)
def asks_with_compat_first() -> dict[str, Any]:
    """The check names the image's folder; a script that asks politely is told there is no GPU."""
    return ask()


@detect(found=False, control="asks-with-compat-first", **CU130)
def asks_with_the_host_first() -> dict[str, Any]:
    """The same folders, the host's first."""
    return ask(("host", "compat"))


@fix("off-the-path", control="compat-first", **CU130)
def without_compat() -> dict[str, Any]:
    """The page's line takes the image's folder off the path."""
    return run("off")


@fix("host-first", control="compat-first", **CU130)
def host_first() -> dict[str, Any]:
    """The page's line puts the host's folder before it."""
    return run("first")


@non_fix("another-torch", control="compat-first", **CU128)
def another_torch() -> dict[str, Any]:
    """Another release, built for another CUDA, with the same folders."""
    return run()


if __name__ == "__main__":
    main(__file__)
