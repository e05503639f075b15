"""Ask ``nvidia-smi`` for the GPUs: it is a program of the driver, and needs no CUDA."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class SmiError(Exception):
    """The program is there, and said no; the message is its own."""


def query(fields: Sequence[str], timeout_s: float) -> list[list[str]]:
    """Return one row of texts a GPU, in the order of the fields.

    Args:
        fields: What to ask for, by the names of ``--query-gpu``.
        timeout_s: How long to wait, in seconds.

    Raises:
        SmiError: It has failed.
        OSError: It is not there, or cannot be started.
        subprocess.TimeoutExpired: It did not answer in time.
    """
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    if done.returncode:
        raise SmiError(done.stdout.strip())
    rows = ([part.strip() for part in line.split(",")] for line in done.stdout.splitlines())
    return [row for row in rows if len(row) == len(fields)]
