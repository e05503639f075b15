"""vLLM does not start: it is asked for more GPUs than the machine has."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "ray==2.60.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import math
import re
from typing import Any

from failure import serve
from proof_cluster import cluster
from proof_vllm import two_cards

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text

VLLM: dict[str, Any] = {
    "versions": [
        "vllm==0.33.0", "aiohappyeyeballs==2.7.1", "aiohttp==3.14.5", "aiosignal==1.4.0",
        "apache-tvm-ffi==0.1.11", "cachetools==8.0.1", "cbor2==6.3.0", "cloudpickle==3.1.2",
        "fastapi==0.165.0", "frozenlist==1.8.0", "llguidance==1.9.1", "msgspec==0.22.0",
        "multidict==7.2.1", "openai==3.54.0", "openai-harmony==0.0.8",
        "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0", "propcache==0.5.4",
        "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
    ],
    "env": {
        "VLLM_TARGET_DEVICE": "cpu",
        "VLLM_NO_USAGE_STATS": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
    },
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip
TWO_MACHINES = "vllm serve MODEL --tensor-parallel-size 2 --pipeline-parallel-size 2"


def look(command: str) -> dict[str, Any]:
    """Look as the page does, when this command line asks for GPUs."""
    asked = math.prod(int(size) for size in re.findall(r"parallel-size (\d+)", command))
    printed = io.StringIO()
    with two_cards(), contextlib.redirect_stdout(printed):
        seen = snippet("gpus")["seen"]
    return {"found": asked > seen, "seen": seen}


def start(command: str) -> dict[str, object]:
    """Look, and let vLLM check the command line."""
    measure(**look(command))
    return serve(command)


def on_two_machines(command: str = TWO_MACHINES, registered: int = 0) -> dict[str, object]:
    """Start one of two machines, connected to a cluster that has registered GPUs."""
    with cluster(registered) if registered else contextlib.nullcontext(0.0) as gpus:
        measure(registered=gpus)
        return serve(command)


@reproduce(**VLLM)
def four_gpus() -> dict[str, object]:
    """Four GPUs, on a machine with two."""
    return start("vllm serve MODEL --tensor-parallel-size 4")


@fix("fewer", control="four-gpus", **VLLM)
def two_gpus() -> dict[str, object]:
    """As many as there are."""
    return start(snippet_text("fewer"))


@reproduce(**VLLM)
def two_machines() -> dict[str, object]:
    """Two machines with two GPUs each, and nothing that says so."""
    return on_two_machines()


@fix("nodes", control="two-machines", **VLLM)
def first_machine() -> dict[str, object]:
    """Processes that vLLM starts on each machine: the first."""
    return on_two_machines(snippet_text("nodes").splitlines()[1])


@fix("nodes", control="two-machines", **VLLM)
def second_machine() -> dict[str, object]:
    """The second, which serves nothing itself."""
    return on_two_machines(snippet_text("nodes").splitlines()[3])


@fix("ray", control="two-machines", **VLLM)
def by_ray() -> dict[str, object]:
    """Processes that Ray starts."""
    return on_two_machines(snippet_text("ray"))


@non_fix("cluster", control="two-machines", **VLLM)
def within_a_cluster() -> dict[str, object]:
    """A cluster of Ray that has four GPUs, and no option."""
    return on_two_machines(registered=4)


@detect(found=True, **VLLM)
def processes_by_name() -> dict[str, object]:
    """Multiprocessing by its name skips the check."""
    return start("vllm serve MODEL --tensor-parallel-size 4 --distributed-executor-backend mp")


@detect(found=True, **VLLM)
def copies_are_not_counted() -> dict[str, object]:
    """Neither does it count copies."""
    return start("vllm serve MODEL --tensor-parallel-size 2 --data-parallel-size 2")


@detect(found=False, control="processes-by-name", **VLLM)
def two_processes_by_name() -> dict[str, object]:
    """As many as there are."""
    return start("vllm serve MODEL --tensor-parallel-size 2 --distributed-executor-backend mp")


if __name__ == "__main__":
    main(__file__)
