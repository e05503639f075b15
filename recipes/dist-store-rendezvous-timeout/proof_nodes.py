"""Two nodes, launched by the command of the page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from failure import launch
from proof_asked import asked

from fixbook.recipe import measure, snippet_text
from fixbook.recipe.helpers import on_hosts, until

FIRST = "10.77.0.1"


def two_hosts(*node_ranks: int) -> dict[str, Any]:
    """Launch by the command of the page on two hosts, with these node ranks."""
    command = snippet_text("command").replace("10.0.0.1", FIRST)
    # torchrun waits for a quarter of an hour by itself
    command = command.replace("train.py", "--rdzv-conf=timeout=4 train.py")

    def node(number: int) -> Any:
        def work() -> None:
            os.environ["GLOO_SOCKET_IFNAME"] = f"net{number + 1}"
            if number == 1:
                until(lambda: asked(FIRST, 29517) == "connected")
                measure(found=asked(FIRST, 29517) != "connected")
            launch(command.replace("--node-rank=0", f"--node-rank={node_ranks[number]}"))

        return work

    if any(on_hosts(node(0), node(1))):
        raise SystemExit(1)
    return {"sum": float(Path("sum").read_text("utf-8"))}
