"""Cards and a driver that nvidia-smi tells of, and a training that begins beside them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from failure import TRAIN

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import free_port, program

OLD, NEW = "535.129.03", "550.40.07"
SMI = """#!/bin/sh
case "$*" in
*driver_version*) echo {driver}; echo {driver} ;;
*) echo "2, {card}"; echo "2, {card}" ;;
esac
"""


def cards(driver: str, card: str = "NVIDIA GeForce RTX 4090") -> None:
    """Put a machine with two such cards, and this driver, in place of this one."""
    folder = program("nvidia-smi", SMI.format(driver=driver, card=card))
    own = Path(sys.executable).parent
    os.environ["PATH"] = f"{folder}{os.pathsep}{own}{os.pathsep}{os.environ['PATH']}"


def begin(
    driver: str = OLD, lines: str = "", *, alone: bool = False, **variables: str
) -> dict[str, Any]:
    """Begin one process of a training, as torchrun starts it.

    Args:
        driver: The driver's release.
        lines: The snippet of the page that sets variables before, or that starts it.
        alone: Whether nothing starts the process but `python`, or a notebook.
        **variables: Variables set by hand.
    """
    cards(driver)
    if lines == "launch":
        return launched(alone=alone)
    rank = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "MASTER_ADDR": "127.0.0.1"}
    os.environ.update(variables if alone else rank | {"MASTER_PORT": str(free_port())} | variables)
    if lines == "in-code":
        snippet(lines)
    elif lines:
        os.environ.update(re.findall(r"export (\w+)=(\S+)", snippet_text(lines)))
    measure(p2p=os.environ.get("NCCL_P2P_DISABLE", ""), ib=os.environ.get("NCCL_IB_DISABLE", ""))
    measure(visible=os.environ.get("CUDA_VISIBLE_DEVICES", ""))
    names: dict[str, Any] = {}
    exec(TRAIN, names)  # noqa: S102
    return {"started": names["state"].num_processes} | asked()


def asked(driver: str = "", card: str = "NVIDIA GeForce RTX 4090") -> dict[str, Any]:
    """Ask the page's check about a machine with this driver, or about the one that is set up."""
    if driver:
        cards(driver, card)
    return {"found": snippet("ask")["refuses"]}


def launched(*, alone: bool = False) -> dict[str, Any]:
    """Let accelerate launch start two processes of it, or one."""
    Path("train.py").write_text(TRAIN)
    command = [*snippet_text("launch").split()]
    if alone:
        command = ["accelerate", "launch", "--num_processes", "1", "train.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    measure(launcher="simple_launcher" if "simple_launcher" in done.stderr else "")
    if alone:
        done.check_returncode()
    return {"code": done.returncode, "started": done.stdout.count("started 2")}
