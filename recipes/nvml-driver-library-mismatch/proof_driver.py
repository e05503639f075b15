"""A driver in two halves, of which this machine has neither: the library, and the module's file."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from fixbook.recipe.helpers import private_mount

MODULE = Path("/proc/driver/nvidia/version")
LIBRARIES = Path("libraries").absolute()  # in place of /usr/lib/x86_64-linux-gnu
# It refuses as NVIDIA's does: with 18 where its own release is not the one of the module.
SOURCE = r"""
#include <stdio.h>
#include <string.h>
int nvmlInit_v2(void) {
  char said[300] = "";
  FILE *file = fopen("/proc/driver/nvidia/version", "r");
  if (!file) return 9;
  said[fread(said, 1, sizeof said - 1, file)] = 0;
  fclose(file);
  return strstr(said, RELEASE) ? 0 : 18;
}
int nvmlInit(void) { return nvmlInit_v2(); }
int nvmlInitWithFlags(unsigned flags) { return nvmlInit_v2(); }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return "Driver/library version mismatch"; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned room) {
  strncpy(text, RELEASE, room);
  return 0;
}
"""


def load_module(release: str) -> None:
    """Let the kernel's file say that a module of this release is loaded."""
    if not MODULE.parent.exists() or not os.access(MODULE.parent, os.W_OK):
        private_mount(1 << 20, MODULE.parents[1])
        MODULE.parent.mkdir()
    said = (
        f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {release}  Fri May 31 09:35:42 UTC 2024\n"
    )
    MODULE.write_text(said, "utf-8")


def put(release: str) -> Path:
    """Put the library of a release into the folder, as a package or a mount does."""
    LIBRARIES.mkdir(exist_ok=True)
    target = LIBRARIES / f"libnvidia-ml.so.{release}"
    options = ["-shared", "-fPIC", "-w", "-Wl,-soname,libnvidia-ml.so.1", f'-DRELEASE="{release}"']
    command = ["cc", *options, "-o", str(target), "-x", "c", "-"]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    return target


def link() -> str:
    """Let ldconfig choose which of the files the loader's name leads to; return its release."""
    subprocess.run(["ldconfig", "-n", str(LIBRARIES)], check=True)
    return chosen()


def chosen() -> str:
    """Return the release that the loader's name leads to."""
    name = (LIBRARIES / "libnvidia-ml.so.1").resolve().name
    return re.sub(r"libnvidia-ml\.so\.", "", name)


def on_path() -> dict[str, str]:
    """Return the variables with which programs find the folder."""
    path = f"{LIBRARIES}{os.pathsep}{os.environ.get('LD_LIBRARY_PATH', '')}"
    return {"LD_LIBRARY_PATH": path.strip(os.pathsep), "LIBS": str(LIBRARIES)}
