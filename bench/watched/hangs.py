"""A rank that waits where the others do not, and two that differ."""

import fcntl
import time
from pathlib import Path

import ranks


def load_shard(): time.sleep(10_000)


def save_checkpoint(): time.sleep(10_000)


def loading():
    if ranks.bad:
        load_shard()
    ranks.step()


def other_collective():
    if ranks.bad:
        ranks.dist.barrier()
    ranks.step(), ranks.step()


def skips_one():
    for at in range(3):
        if not (ranks.bad and at == 1):
            ranks.step()
        ranks.gather()
    ranks.step()


def lock():
    with open("lock", "w") as file:
        if ranks.rank:
            ranks.step()
        fcntl.flock(file, fcntl.LOCK_EX)
        if ranks.rank == 0:
            ranks.step()
            save_checkpoint()


def plain_lock():
    with open("lock", "w") as one, open("lock", "w") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(other, fcntl.LOCK_EX)


def extension_lock():
    from torch.utils.cpp_extension import _get_build_directory, load

    Path(_get_build_directory("op", False), "lock").touch()  # of a build that has been killed
    Path("op.cpp").write_text("int one() { return 1; }")
    load(name="op", sources=["op.cpp"])


def spin():
    at = 0
    while ranks.bad:
        at = (at + 1) % 7
    ranks.step()


def saves_alone():
    if ranks.rank == 0:
        save_checkpoint()
    ranks.dist.barrier()
