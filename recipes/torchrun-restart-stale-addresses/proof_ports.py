"""One machine that is told which ports its processes get: the order of ports decides who waits."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from failure import group, launch

from fixbook.recipe.helpers import on_hosts

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
# Of two addresses, the greater one connects and the other one waits for it.
FIRST, EARLY, LATE = 0xF0F0, 0x8080, 0x2020


def in_order() -> None:
    """Form the group on a port of the range that this rank and attempt is to have."""
    again, late = int(os.environ["TORCHELASTIC_RESTART_COUNT"]), int(os.environ["RANK"]) % 2
    first = (LATE if late else EARLY) if again else FIRST
    RANGE.write_text(f"{first} {first + 15}", "ascii")
    group(timedelta(seconds=3))


def alone(command: str) -> Any:
    """Launch on a machine that no other program uses."""
    if any(on_hosts(lambda: launch(command, in_order), patience_s=100)):
        raise SystemExit(1)
