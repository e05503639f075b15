"""NCCL takes containers on one machine for machines, and sends everything through sockets."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import join, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc", "mount"],
    "record_once": "NCCL alone is a download of 200 MB",
}


@reproduce(**NCCL)
def one_container_each() -> dict[str, object]:
    """Each has a name and a /dev/shm of its own, as Docker gives them."""
    return train("name, shm")


@reproduce(**NCCL)
def a_name_each() -> dict[str, object]:
    """One /dev/shm, and a name each, as with --ipc=host alone."""
    return train("name")


@reproduce(**NCCL)
def a_shm_each() -> dict[str, object]:
    """One name for NCCL, and a /dev/shm each."""
    return train("name, shm", NCCL_HOSTID="machine1")


@fix("one-container", control="one-container-each", **NCCL)
def one_container() -> dict[str, object]:
    """Both in one."""
    return train()


@fix("shared", control="one-container-each", **NCCL)
def shared_and_named() -> dict[str, object]:
    """A name each, one /dev/shm, and one name for NCCL."""
    return train("name", NCCL_HOSTID="machine1")


@non_fix("p2p-level", control="one-container-each", **NCCL)
def p2p_level() -> dict[str, object]:
    """NCCL may use P2P at any distance."""
    return train("name, shm", NCCL_P2P_LEVEL="SYS")


@detect(found=True, **NCCL)
def looked_at_two() -> dict[str, object]:
    """One container each."""
    return join("name, shm")


@detect(found=False, control="looked-at-two", **NCCL)
def looked_at_one() -> dict[str, object]:
    """Both in one."""
    return join()


if __name__ == "__main__":
    main(__file__)
