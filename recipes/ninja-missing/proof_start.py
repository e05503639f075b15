"""Environments in which the process that builds may find itself."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import failure
from failure import install

from fixbook.recipe import measure, run_snippet, snippet_text
from fixbook.recipe.helpers import path_without, program

OF_ANOTHER = """#!{python} -S
import sys
from ninja import ninja
sys.exit(ninja())
"""
COMPILER = """#!/bin/sh
case " $* " in *" -c "*) ;; *) exec c++ "$@" ;; esac
here=$(dirname "$0"); running=$here/running
mkdir -p $running && touch $running/$$
for try in 1 2 3 4 5 6 7 8 9 10; do [ $(ls $running | wc -l) -ge 2 ] || sleep 0.05; done
ls $running | wc -l >> $here/at_once
c++ "$@"; status=$?
rm $running/$$; exit $status
"""


PYTHON = '#!/bin/sh\nexec {python} "$@"\n'
TRAIN = """
from pathlib import Path
from failure import build
Path("built").write_text(build().__name__)
"""
PDSH = """#!/bin/bash
while [ "$1" != -w ]; do shift; done; shift 2
exec env -i HOME="$HOME" PATH={path} bash -c "${{*//%n/0}}"
"""
LAUNCH = ["--force_multi", "--no_ssh_check", "--master_addr", "127.0.0.1", "train.py"]


def start(*, activated: bool = False, broken: bool = False, system: bool = False) -> None:
    """Set the PATH of a process whose interpreter was called by its path."""
    ninja, scripts = shutil.which("ninja") or "ninja", sysconfig.get_path("scripts")
    folders = [program("python", PYTHON.format(python=sys.executable)), path_without("ninja")]
    if activated:
        folders.insert(0, scripts)
    if broken:
        folders.insert(0, program("ninja", OF_ANOTHER.format(python=sys.executable)))
    if system:
        Path("system").mkdir()
        Path("system/ninja").symlink_to(ninja)
        folders.append(str(Path("system").absolute()))
    os.environ["PATH"] = os.pathsep.join(folders)
    measure(package=importlib.metadata.version("ninja"))


def train(*command: str) -> dict[str, Any]:
    """Run a command that starts the training, and return the name of what that built."""
    Path("train.py").write_text(TRAIN, "utf-8")
    os.environ["PYTHONPATH"] = str(Path(failure.__file__).parent)
    done = subprocess.run(command, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return {"built": Path("built").read_text("utf-8")}


def train_in_shell(lines: str) -> dict[str, Any]:
    """Run the lines of the page in a shell, look from there, and train from there."""
    os.environ["PIP_NO_INDEX"] = "1"  # pip needs none to see what is there
    Path("look.py").write_text(snippet_text("look"), "utf-8")
    text = f"{snippet_text(lines)}\npython look.py > looked\npython train.py"
    built = train("bash", "-euo", "pipefail", "-c", text)
    return {**built, "found": not Path("looked").read_text("utf-8").endswith(" True\n")}


def train_on_node(lines: str = "") -> dict[str, Any]:
    """Let DeepSpeed train on a node whose PATH is its own, from an environment that is active."""
    compilers = Path(shutil.which("c++") or "c++").parent
    os.environ["PATH"] = os.pathsep.join([str(compilers), "/usr/bin", "/bin"])  # the log shows it
    node = path_without("ninja")
    start(activated=True)
    program("pdsh", PDSH.format(path=node))
    Path("hostfile").write_text("node slots=1\n", "utf-8")
    if lines:
        run_snippet(lines)
    launcher = [sys.executable, "-m", "deepspeed.launcher.runner", "--hostfile", "hostfile"]
    return train(*launcher, *LAUNCH)


def install_package() -> None:
    """Install the package again; pip is given no index, as it needs none to see what is there."""
    pip = [sys.executable, "-m", "pip", "--isolated", "install", "--no-index", "--upgrade", "ninja"]
    said = subprocess.run(pip, capture_output=True, text=True, check=True).stdout
    measure(pip=said.partition(" in ")[0])


def installed(**how: bool) -> dict[str, Any]:
    """Build as pip does, with a compiler that notes how many of it run."""
    start(**how)
    folder = program("counted", COMPILER)
    os.environ |= {"CXX": f"{folder}/counted", "MAX_JOBS": "2"}
    ninja = install().use_ninja
    at_once = max(int(line) for line in Path(folder, "at_once").read_text("utf-8").split())
    return {"found": not ninja, "at_once": at_once}
