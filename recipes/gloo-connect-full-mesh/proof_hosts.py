"""What a host or a rank is given before it joins: lines of /etc/hosts, a limit of open files."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.recipe.helpers import private_mount
from fixbook.recipe.helpers.beside import beside, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable


def write_hosts(address: str) -> None:
    """Let this host's own name, which is localhost, lead to an address."""
    hosts = Path(tempfile.mkdtemp(), "hosts")
    private_mount(1 << 20, hosts.parent)
    hosts.write_text(f"{address} localhost\n", "utf-8")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


def leave_files(more: int) -> None:
    """Leave room for so many open files besides those of now."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    open_now = max(int(file.name) for file in Path("/proc/self/fd").iterdir()) + 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_now + more, hard))


def all_ranks(rank: Callable[[int], None], world: int) -> list[int | None]:
    """Run so many ranks on this machine, each in a process of its own; return their exit codes."""
    with contextlib.ExitStack() as stack:
        ranks = [stack.enter_context(beside(lambda n=n: rank(n))) for n in range(world)]
        return [exit_code(child, 60) for child in ranks]
