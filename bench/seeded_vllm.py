"""What vLLM says of commands with a mistake, in a process beside the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from fixbook.recipe.running import overlay

# Beside the main environment; `recipes/vllm-max-num-batched-tokens` has the same list.
_VLLM = (
    *("vllm==0.33.0", "compressed-tensors==0.17.0", "loguru==0.7.3", "aiohappyeyeballs==2.7.1"),
    *("aiohttp==3.14.5", "aiosignal==1.4.0", "apache-tvm-ffi==0.1.11", "cachetools==8.0.1"),
    *("cbor2==6.3.0", "cloudpickle==3.1.2", "fastapi==0.165.0", "frozenlist==1.8.0"),
    *("llguidance==1.9.1", "msgspec==0.22.0", "multidict==7.2.1", "openai==3.54.0"),
    *("openai-harmony==0.0.8", "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0"),
    *("propcache==0.5.4", "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8"),
    "yarl==1.25.1",
)


def ask_vllm(texts: dict[str, str]) -> dict[str, list[str]]:
    """Return what vLLM says of each command, by its name; `bench.seeded_servers` asks it."""
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("seeded_servers.py"))],
        input=json.dumps(texts),
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(overlay(_VLLM)), str(root)]),
            "VLLM_TARGET_DEVICE": "cpu",
            "VLLM_NO_USAGE_STATS": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found
