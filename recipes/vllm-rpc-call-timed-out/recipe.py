"""vLLM's engine waits for its workers: RPC call to execute_model timed out."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "py-spy==0.4.3", "setproctitle==1.3.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import sys
from pathlib import Path
from typing import Any

from failure import serve

from fixbook.recipe import detect, fix, main, non_fix, reproduce, run_snippet, snippet_text
from fixbook.recipe.helpers import private_mount

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
        "VLLM_HOST_IP": "127.0.0.1",
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
        "VLLM_RINGBUFFER_WARNING_INTERVAL": "2",
        "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS": "5",
    },
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip
LOOK: dict[str, Any] = VLLM | {"programs": ["pgrep"]}
TWO_CARDS = "vllm serve MODEL --tensor-parallel-size 2"
GIB = 2**30


@reproduce(**VLLM)
def slow_step() -> dict[str, int]:
    """Both workers compute for longer than the limit."""
    return serve(TWO_CARDS, "both", 9)


@fix("limit", control="slow-step", **VLLM)
def longer_limit() -> dict[str, int]:
    """The same step under a longer limit."""
    return serve(snippet_text("limit"), "both", 9)


@reproduce(**VLLM)
def absent_worker() -> dict[str, int]:
    """One worker is elsewhere, and the other waits for it."""
    return serve(TWO_CARDS, "one", 120)


@non_fix("limit-for-an-absent-worker", control="absent-worker", **VLLM)
def longer_limit_for_an_absent_worker() -> dict[str, int]:
    """A limit that is twice as long."""
    return serve(f"VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS=10 {TWO_CARDS}", "one", 120)


@non_fix("shm", control="absent-worker", **VLLM)
def large_shm() -> dict[str, int]:
    """Eight gigabytes of /dev/shm."""
    private_mount(8 * GIB)
    return serve(TWO_CARDS, "one", 120)


@non_fix("interval", control="absent-worker", **VLLM)
def no_lines() -> dict[str, int]:
    """The lines switched off."""
    return serve(f"VLLM_RINGBUFFER_WARNING_INTERVAL=3600 {TWO_CARDS}", "one", 120)


def look(late: str) -> dict[str, Any]:
    """Look at the stacks as the page does, when vLLM says that it waits."""
    innermost: list[str] = []

    def stacks() -> None:
        # As in an activated environment, and of this server alone.
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        printed = run_snippet("stacks", env={"PATH": path}).stdout
        workers = {str(child.pid) for child in multiprocessing.active_children()}
        found = re.findall(r'Process (\d+):[^"]*"MainThread"\n +(\S+)', printed)
        innermost.extend(function for pid, function in found if pid in workers)

    serve(snippet_text("limit"), late, 9, at_first_line=stacks)
    return {"found": len({*innermost}) > 1, "workers": len(innermost), "said": ", ".join(innermost)}


@detect(found=True, **LOOK)
def one_stands_elsewhere() -> dict[str, Any]:
    """One worker computes and the other waits."""
    return look("one")


@detect(found=False, control="one-stands-elsewhere", **LOOK)
def all_stand_alike() -> dict[str, Any]:
    """Both compute."""
    return look("both")


@detect(found=True, **VLLM)
def stacks_written() -> dict[str, Any]:
    """One worker is elsewhere, and the watchdog notes where all stood."""
    with contextlib.suppress(TimeoutError):
        serve(snippet_text("watch"), "one", 120)
    dumps = [file.read_text("utf-8") for file in Path("stacks").glob("*_worker_*")]
    reading = sum("in read_image" in dump for dump in dumps)
    return {"found": reading > 0, "files": len(dumps), "reading": reading}


if __name__ == "__main__":
    main(__file__)
