"""Several hosts on one machine: network namespaces joined by a bridge."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers.beside import beside, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable

_NETWORK, _USER, _NAME = 0x40000000, 0x10000000, 0x04000000  # CLONE_NEWNET, _NEWUSER, _NEWUTS
_FORBIDDEN = 75


def on_hosts(*work: Callable[[], Any], patience_s: float = 60.0) -> list[int]:
    """Run each function on a host of its own; the hosts are joined by a network.

    Host n has the address ``10.77.0.n``, on the interface ``netn``, and is called ``localhost``:
    its own name leads to 127.0.0.1, as on many a machine. A machine that forbids it skips the
    step with the reason; so does one without the program ``ip``.

    Args:
        *work: One function for each host, counted from 1.
        patience_s: How long the slowest may take, in seconds.

    Returns:
        The exit code of each: 1 if it raised.

    Raises:
        TimeoutError: One took longer; all have been ended.
    """
    if not shutil.which("ip"):
        skip("the program 'ip' is missing")
    answer, tell = os.pipe()
    with beside(lambda: _network(work, tell, patience_s)) as network:
        os.close(tell)
        code = exit_code(network, patience_s + 10)
        codes = list(os.read(answer, 64))
        os.close(answer)
    if code == _FORBIDDEN:
        skip("this machine forbids network namespaces")
    if code != 0 or len(codes) != len(work):
        raise TimeoutError(f"not every host ended within {patience_s:.0f} s")
    return codes


def _network(work: tuple[Callable[[], Any], ...], tell: int, patience_s: float) -> None:
    if _unshare(_NETWORK):
        user, group = os.geteuid(), os.getegid()
        if _unshare(_NETWORK | _USER):
            os._exit(_FORBIDDEN)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    try:
        _ip("link add hub type bridge")
        _ip("link set hub up")
        _start(work, tell, patience_s, [])
    except subprocess.CalledProcessError:
        os._exit(_FORBIDDEN)


def _start(work: Any, tell: int, patience_s: float, hosts: list[int], go: Any = None) -> None:
    ready, begin = go or os.pipe()
    if len(hosts) == len(work):
        os.write(begin, b"." * len(work))  # all at once, so that none waits for another's start
        codes = [exit_code(host, patience_s) for host in hosts]
        os.write(tell, bytes(min(abs(code), 255) for code in codes if code is not None))
        return
    number = len(hosts) + 1
    apart, is_apart = os.pipe()

    def host() -> None:
        _unshare(_NETWORK | _NAME)
        ctypes.CDLL(None).sethostname(b"localhost", 9)
        os.write(is_apart, b".")
        os.read(ready, 1)
        _ip("link set lo up")
        _ip(f"addr add 10.77.0.{number}/24 dev net{number}")
        _ip(f"link set net{number} up")
        work[number - 1]()

    with beside(host) as child:
        os.read(apart, 1)
        _ip(f"link add hub{number} type veth peer name net{number} netns {child}")
        _ip(f"link set hub{number} master hub up")
        _start(work, tell, patience_s, [*hosts, child], (ready, begin))


def _unshare(what: int) -> int:
    return int(ctypes.CDLL(None, use_errno=True).unshare(what))


def _ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)
