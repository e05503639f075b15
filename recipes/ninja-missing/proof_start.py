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

from failure import install

from fixbook.recipe import measure
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


def start(*, activated: bool = False, broken: bool = False, system: bool = False) -> None:
    """Set the PATH of a process whose interpreter was called by its path."""
    ninja, scripts = shutil.which("ninja") or "ninja", sysconfig.get_path("scripts")
    folders = [path_without("ninja")]
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
