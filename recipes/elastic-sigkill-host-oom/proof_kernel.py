"""Two ranks under a kernel of their own: a real kill for want of memory, and one by hand."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import torch

from fixbook.recipe import snippet_text

LIMIT = 520 << 20  # bytes that the container may use
SIDE = 7168  # of the weight; each rank holds it twice: as it was read, and in the model

# The file system is that of this machine, and read-only; what is written lies in its own memory.
BOOT = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs run /run
mount -t tmpfs dev /dev/shm 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup
ip link set lo up; hostname localhost
echo +memory > /sys/fs/cgroup/cgroup.subtree_control; mkdir /sys/fs/cgroup/job
echo {limit} > /sys/fs/cgroup/job/memory.max; echo $$ > /sys/fs/cgroup/job/cgroup.procs
unshare --cgroup --mount {folder}/job.sh
echo o > /proc/sysrq-trigger; sleep 5
"""

# As in a container, the limit is that of the root of the tree of groups.
JOB = """#!/bin/bash
export PATH={path} SIDE={side} OMP_NUM_THREADS=1 TMPDIR=/run HOME=/run PYTHONDONTWRITEBYTECODE=1
umount /sys/fs/cgroup; mount -t cgroup2 container /sys/fs/cgroup; cd /run
{python} -m torch.distributed.run --nproc-per-node 2 --master-addr 127.0.0.1 \
  --master-port 29533 {program} {folder}/checkpoint.pt "{how}" {folder}/mapped.py 2>&1
echo "torchrun ended with $?"
echo "machine: $(free -b | awk '/^Mem:/ {{print $2}}')"
echo ---
{snippet}
echo ---
"""


# The page's code as a function, which the ranks import there.
MAPPED = """from failure import build


def mapped(path):
{page}
    return model
"""


def run(how: str, timeout_s: float = 400.0) -> str:
    """Run torchrun in a container of User-Mode-Linux; return what was printed.

    Args:
        how: ``whole``: each rank loads all of the checkpoint; ``mapped``: each maps it, as the page
            does; ``by hand``: something kills rank 1.
        timeout_s: Wall-clock limit in seconds.
    """
    folder = Path(tempfile.mkdtemp())
    torch.save({"weight": torch.ones(SIDE, SIDE)}, folder / "checkpoint.pt")
    if how == "mapped":
        page = textwrap.indent(snippet_text("mapped"), "    ")
        (folder / "mapped.py").write_text(MAPPED.format(page=page))
    values = {
        "folder": folder,
        "limit": LIMIT,
        "how": how,
        "side": SIDE,
        "python": sys.executable,
        "path": os.environ["PATH"],
        "program": Path(__file__).with_name("failure.py"),
        "snippet": snippet_text("kernel"),
    }
    for name, text in (("boot.sh", BOOT), ("job.sh", JOB)):
        (folder / name).write_text(text.format(**values))
        (folder / name).chmod(0o755)
    options = ["root=/dev/root", "rootfstype=hostfs", "ro", f"init={folder}/boot.sh", "quiet"]
    console = ["con=null", "con0=fd:0,fd:1", f"uml_dir={folder}"]
    done = subprocess.run(
        ["linux.uml", "mem=900M", *options, *console],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=timeout_s,
        check=True,
    )
    lines = done.stdout.decode("utf-8", "replace").replace("\r", "").splitlines(keepends=True)
    said = "".join(line for line in lines if not line.startswith(("[W", "SELinux")))
    os.write(1, said.encode())
    return said
