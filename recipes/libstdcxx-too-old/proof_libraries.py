"""Two libstdc++: the system's, and a copy of it without the newer versions of its symbols."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from failure import ENV, SITE, install_snappy

from fixbook.recipe import measure, run_snippet
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import private_mount, run_python

SYSTEM = Path("/lib/x86_64-linux-gnu/libstdc++.so.6")
TOOLS = Path("opt", "gcc-5", "lib64")
OF_GCC_5 = {b"GLIBCXX_3.4.": 21, b"CXXABI_1.3.": 9}  # the newest that it had
_BIND = 4096  # MS_BIND


def older() -> bytes:
    """Return the system's libstdc++ with the names struck out that came after gcc 5."""
    if not SYSTEM.is_file():
        skip(f"there is no {SYSTEM}")
    found = SYSTEM.read_bytes()
    for name, newest in OF_GCC_5.items():
        later = re.compile(re.escape(name) + rb"(\d+)\0")
        found = later.sub(lambda hit, last=newest: _kept(hit, last), found)
    return found


def _kept(hit: re.Match[bytes], newest: int) -> bytes:
    return hit[0] if int(hit[1]) <= newest else b"-" + hit[0][1:]


def put(folder: Path, content: bytes) -> None:
    """Put a libstdc++ into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "libstdc++.so.6").write_bytes(content)


def conda(*, newer: bool = False) -> None:
    """Make an environment with a libstdc++, and a library that looks for it there."""
    put(ENV / "lib", SYSTEM.read_bytes() if newer else older())
    install_snappy()
    Path("a.c").write_text("int snappy;")
    needed = ["-Wl,--no-as-needed", f"-L{ENV / 'lib'}", "-l:libstdc++.so.6"]
    target = str(SITE / "snappy" / "_snappy.so")
    way = "-Wl,-rpath,$ORIGIN/../../.."
    subprocess.run(["cc", "-shared", "-fPIC", "a.c", "-o", target, *needed, way], check=True)


def old_system() -> None:
    """Put the older libstdc++ in the place of the system's, for this step alone."""
    put(Path("older"), older())
    Path("mount").mkdir()
    private_mount(1 << 20, "mount")
    source, libc = b"older/libstdc++.so.6", ctypes.CDLL(None, use_errno=True)
    if libc.mount(source, os.fsencode(SYSTEM.resolve()), None, _BIND, None):
        skip(f"this machine forbids it: {os.strerror(ctypes.get_errno())}")


def surroundings(path: str = "") -> dict[str, str]:
    """Return the variables of a shell in which the environment is active."""
    os.environ.pop("LD_LIBRARY_PATH", None)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    there = {"LD_LIBRARY_PATH": str(Path(path).absolute())} if path else {}
    active = {"CONDA_PREFIX": str(ENV.absolute()), "PYTHONPATH": str(SITE.absolute())}
    return {**there, **active, "PATH": programs}


def start(program: str, printed: str = "", path: str = "") -> dict[str, Any]:
    """Run a program with this search path, as the page prints it if it says how."""
    Path("train.py").write_text(program)
    shell = surroundings(path)
    done = run_snippet(printed, env=shell) if printed else run_python(program, env=shell)
    said = re.findall(r"in force: (.+)", done.stdout)[-1:] or ["None"]
    measure(variable=said[0].replace(f"{Path().absolute()}/", ""))
    if done.returncode:
        sys.exit(done.returncode)
    return {"sum": float(re.findall(r"sum: (\S+)", done.stdout)[0]), **look(said[0])}


def look(path: str = "None") -> dict[str, Any]:
    """List the copies as the page does; torch needs a name that came with gcc 6."""
    printed = run_snippet("copies", env=surroundings(path.replace("None", ""))).stdout
    rows = [row.split(" ", 1) for row in printed.splitlines()]
    newest = rows[0][0]
    for row, file in rows:
        if file.startswith(str(ENV.absolute())):
            measure(conda=row)
    wanted = OF_GCC_5[b"GLIBCXX_3.4."] + 1
    return {"found": int(newest.rpartition(".")[2]) < wanted, "newest": newest}
