"""Rank 0 preprocesses for longer than a collective may take, and the ranks that wait give up."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import sqlite3
from typing import Any

from proof_run import counted, look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu", ranks=2, needs=["datasets", "transformers"])
def tokenized_in_training() -> Any:
    """Rank 1 waits three seconds for work of five."""
    return run()


@reproduce(on="cpu", ranks=2, needs=["datasets", "transformers"])
def group_existed() -> Any:
    """The same in a process group that the script has created."""
    return run(group_timeout=3)


@detect(found=True, on="cpu", ranks=2, needs=["datasets"])
def stacks_while_waiting() -> Any:
    """Rank 0 is in map, rank 1 in a barrier."""
    return look()


@detect(found=False, control="stacks-while-waiting", on="cpu", ranks=2, needs=["datasets"])
def stacks_prepared() -> Any:
    """Nobody is in either."""
    return look(before="save")


@detect(found=True, on="cpu", ranks=2, needs=["datasets"])
def not_hashable() -> Any:
    """Each rank tokenizes everything again."""
    return counted(sqlite3.connect(":memory:"))


@detect(found=True, on="cpu", ranks=2, needs=["datasets"])
def caches_apart() -> Any:
    """Rank 1 does not see what rank 0 wrote, as on another node without a shared file system."""
    return counted(cache="cache-{rank}")


@detect(found=False, control="not-hashable", on="cpu", ranks=2, needs=["datasets"])
def hashable() -> Any:
    """Rank 1 reads what rank 0 wrote."""
    return counted()


@fix("prepare", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def prepared_beforehand() -> Any:
    """Nobody waits for anybody."""
    return run(before="save")


@fix("prepare", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def cached_beforehand() -> Any:
    """The same script, whose map one process has run before: both ranks find the cache."""
    return run(before="cache")


@fix("own-group", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def waited_in_own_group() -> Any:
    """The collectives of the training keep their three seconds."""
    return run(own_group=True)


@fix("raise", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout() -> Any:
    """Every collective may take as long."""
    return run(ddp_timeout=60)


@fix("raise", control="group-existed", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout_of_the_group() -> Any:
    """Where the group is created, it counts."""
    return run(group_timeout=60)


@non_fix("too-late", control="group-existed", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout_too_late() -> Any:
    """The Trainer takes the group as it finds it."""
    return run(group_timeout=3, ddp_timeout=60)


if __name__ == "__main__":
    main(__file__)
