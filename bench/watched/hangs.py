"""A rank that waits where the others do not, and two that differ."""

import fcntl
import time

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


def spin():
    at = 0
    while ranks.bad:
        at = (at + 1) % 7
    ranks.step()


def saves_alone():
    if ranks.rank == 0:
        save_checkpoint()
    ranks.dist.barrier()
