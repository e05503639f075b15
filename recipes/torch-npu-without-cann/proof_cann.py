"""A stand-in for CANN: libraries with the names that torch_npu asks for, which do nothing."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from failure import SCRIPT

from fixbook.recipe import measure, run_snippet

LIBRARIES = ["hccl", "ascendcl", "acl_op_compiler", "ge_runner", "graph", "acl_tdt_channel"]
PROFILER = "Msprof"
BODY = """xor %eax, %eax
ret
.section .note.GNU-stack,"",@progbits
"""


def asked_for() -> list[str]:
    """Functions that torch_npu takes from CANN."""
    spec = importlib.util.find_spec("torch_npu")
    folder = Path(str(spec and spec.origin)).parent
    files = [str(file) for file in (*folder.glob("lib/*.so"), *folder.glob("_C*.so"))]
    told = subprocess.run(
        ["nm", "-D", "--undefined-only", *files], capture_output=True, text=True, check=True
    )
    names = {line.split()[-1] for line in told.stdout.splitlines() if " U " in line}
    return sorted(one for one in names if re.match("acl|Msprof|rt[A-Z]", one))


def shell(name: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run lines of the page where ``python`` is the one that runs this step."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return run_snippet(name, env={"PATH": path} | env)


def stand_in(*, older: bool = False) -> Path:
    """Write CANN's folder; an older one lacks the functions of the profiler."""
    folder = Path("cann").resolve()
    for name in ("runtime", "compiler"):  # torch_npu asks whether they are there
        (folder / name).mkdir(parents=True)
    names = [one for one in asked_for() if not (older and one.startswith(PROFILER))]
    source = ".text\n" + "".join(f".globl {one}\n{one}:\n" for one in names) + BODY
    for name in LIBRARIES:
        target = folder / f"lib{name}.so"
        command = ["cc", "-shared", f"-Wl,-soname,{target.name}", "-x", "assembler", "-", "-o"]
        subprocess.run([*command, str(target)], input=source, text=True, check=True)
    paths = f"LD_LIBRARY_PATH={folder}:${{LD_LIBRARY_PATH:-}} ASCEND_HOME_PATH={folder}"
    paths += f" ASCEND_OPP_PATH={folder}"
    (folder / "set_env.sh").write_text(f"export {paths}\n")
    return folder


def imported(lines: str = "", *, older: bool = False) -> dict[str, Any]:
    """Run the script, or the lines of the page that import what it does.

    Args:
        lines: The snippet of the page; by default the script, in a shell as it is.
        older: CANN lacks some functions.
    """
    cann = str(stand_in(older=older)) if lines == "set-env" else ""
    if lines:
        done = shell(lines, CANN=cann)
    else:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
        )
        print(done.stdout + done.stderr)
    measure(torch="torch 2.13.0" in done.stdout)
    if done.returncode:
        sys.exit(done.returncode)
    return {"printed": done.stdout.strip().split("\n")[-1], **asked(cann)}


def asked(cann: str = "") -> dict[str, Any]:
    """Ask the page's check, before set_env.sh or after it."""
    env = {"LD_LIBRARY_PATH": cann} if cann else {}
    lines = shell("missing", **env).stdout.split("\n")
    missing = [line.split()[0] for line in lines if "not found" in line]
    return {"found": bool(missing), "missing": len(missing)}
