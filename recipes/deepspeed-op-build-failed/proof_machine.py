"""Machines on which a compiler fails, and an edit of torch that keeps it from being called."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import time
from pathlib import Path

from failure import build

from fixbook.recipe.helpers import program

ROOT = Path("torch_extensions")
ENDED = "#!/bin/sh\nkill -9 $$\n"
# There is memory for one compiler; of several, none ends by itself.
COMPILER = """#!/bin/sh
case " $* " in *" -c "*) ;; *) exec c++ "$@" ;; esac
here=$(dirname "$0"); running=$here/running
mkdir -p $running && touch $running/$$
for try in 1 2 3 4 5 6 7 8; do [ $(ls $running | wc -l) -ge 2 ] || sleep 0.05; done
at_once=$(ls $running | wc -l); echo $at_once >> $here/at_once
[ $at_once -lt ${MOST-2} ] || set -- "-B$here/" "$@"
c++ "$@"; status=$?
sleep 0.05; rm $running/$$; exit $status
"""
NINJA = """#!/bin/sh
echo "$1" > {asked}
exec {ninja} "$@"
"""


def machine(cause: str, *, mended: bool = False) -> str:
    """Set up the machine, and return the flags that the operator's author chose."""
    os.environ["TORCH_EXTENSIONS_DIR"] = str(ROOT.absolute())
    os.environ.pop("MAX_JOBS", None)
    headers = Path("include").absolute()
    headers.mkdir()
    (headers / "kernel_config.h").touch()
    if cause != "header" or mended:
        os.environ["CPATH"] = str(headers)
    if cause in {"memory", "always killed"}:
        program("cc1plus", ENDED)
        os.environ["CXX"] = program("counted", COMPILER) + "/counted"
        os.environ["MOST"] = "2" if cause == "memory" else "0"
        if mended:
            os.environ["MAX_JOBS"] = "1"
    if cause == "compiler":
        os.environ["CXX"] = "no-such-c++"
    return "-std=c++14" if cause == "standard" and not mended else ""


def most_at_once() -> int:
    """Return how many compilers ran at the same time."""
    return max(int(line) for line in Path("programs/at_once").read_text("utf-8").split())


def edit_torch() -> None:
    """Edit torch's file as the advice has it; what is imported then is the edited text."""
    name = "torch.utils.cpp_extension"
    spec = importlib.util.find_spec(name)
    assert spec
    assert spec.origin
    text = Path(spec.origin).read_text("utf-8").replace("['ninja', '-v']", "['ninja', '--version']")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(text, spec.origin, "exec"), vars(module))  # noqa: S102


def watch_ninja() -> Path:
    """Have each call of ninja note its first argument, and return where."""
    asked = Path("asked").absolute()
    folder = program("ninja", NINJA.format(asked=asked, ninja=shutil.which("ninja")))
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    return asked


def beside_a_failing_build() -> int:
    """Start a build that will fail after a second, and return its process once it has the lock."""
    slow = "#!/bin/sh\ncase ' '$*' ' in *' -c '*) sleep 1 ;; esac\nexec c++ \"$@\"\n"
    os.environ["CXX"] = program("slow", slow) + "/slow"
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            build()
        finally:
            os._exit(1)
    while not (ROOT / "kernel/lock").exists():
        time.sleep(0.005)
    return child
