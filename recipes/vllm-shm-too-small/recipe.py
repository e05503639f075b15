"""vLLM does not start, or a worker dies later: /dev/shm is too small for its queues."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "setproctitle==1.3.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import re
from typing import Any

from failure import serve
from proof_vllm import MANY, MIB

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet, snippet_text
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
    },
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip
MOUNT: dict[str, Any] = VLLM | {"programs": ["mount"]}
TWO_CARDS = "vllm serve MODEL --tensor-parallel-size 2"
EIGHT_CARDS = "vllm serve MODEL --tensor-parallel-size 8"
ENOUGH = 1024  # MiB


def look() -> dict[str, Any]:
    """Look as the page does."""
    said = run_snippet("room").stdout.split()[-1]
    return {"found": int(said.removesuffix("M")) < ENOUGH, "said": said}


def in_room(
    mib: int, command: str = TWO_CARDS, *, answers: int = 0, remount: bool = False
) -> dict[str, float]:
    """Start in a /dev/shm of so many MiB."""
    private_mount(mib * MIB)
    if remount:
        run_snippet("remount")
    measure(room=mib, **look())
    return serve(command, answers=answers)


def asked_for(name: str) -> int:
    """Return the MiB that a snippet gives /dev/shm."""
    found = re.search(r"(?:shm-size=|sizeLimit: |size=)(\d+)G?", snippet_text(name), re.IGNORECASE)
    return int(found[1]) * 1024 if found else 0


@reproduce(**VLLM)
def docker_default() -> dict[str, float]:
    """What Docker gives a container."""
    return in_room(64)


@reproduce(**VLLM)
def too_small_for_a_worker() -> dict[str, float]:
    """Enough for the engine's queue, too little for a worker's."""
    return in_room(200)


@fix("container", control="docker-default", **VLLM)
def larger_container() -> dict[str, float]:
    """The size that the option gives."""
    return in_room(asked_for("container"), answers=MANY)


@fix("container", control="docker-default", memory_gib=6, **VLLM)
def eight_cards() -> dict[str, float]:
    """The same size, and eight workers."""
    return in_room(asked_for("container"), EIGHT_CARDS)


@fix("pod", control="docker-default", **VLLM)
def larger_pod() -> dict[str, float]:
    """The size of a volume in memory."""
    return in_room(asked_for("pod"), answers=MANY)


@fix("remount", control="docker-default", **MOUNT)
def remounted() -> dict[str, float]:
    """A running container, mounted anew."""
    return in_room(64, answers=MANY, remount=True)


@non_fix("chunk", control="docker-default", **VLLM)
def smaller_places() -> dict[str, float]:
    """The engine's queue with places of 1 MiB."""
    return in_room(64, f"VLLM_MQ_MAX_CHUNK_BYTES_MB=1 {TWO_CARDS}")


@reproduce(**VLLM)
def passes_and_fills_up() -> dict[str, float]:
    """Enough for the check at the start, too little for large answers."""
    return in_room(320, answers=MANY)


def look_at(mib: int) -> dict[str, Any]:
    """Look at a /dev/shm of so many MiB."""
    private_mount(mib * MIB)
    return look()


@detect(found=True, **VLLM)
def room_is_too_small() -> dict[str, Any]:
    """Docker's default."""
    return look_at(64)


@detect(found=False, control="room-is-too-small", **VLLM)
def room_is_large_enough() -> dict[str, Any]:
    """One gigabyte."""
    return look_at(1024)


if __name__ == "__main__":
    main(__file__)
