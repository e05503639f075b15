"""Process groups of ranks on GPUs that stand in: who asks for NCCL gets gloo."""

from __future__ import annotations

import os
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any

from fixbook.recipe.author.devices import DEVICE_VARIABLE

if TYPE_CHECKING:
    from types import ModuleType


def talk_by_gloo(distributed: ModuleType) -> None:
    """Let a group that asks for NCCL be one of gloo; it still says that it is one of NCCL.

    Args:
        distributed: ``torch.distributed.distributed_c10d``, as it has been imported.
    """
    real = vars(distributed)["ProcessGroupNCCL"]
    gloo = vars(distributed)["ProcessGroupGloo"]

    class Made(type):
        """What torch asks for whether it has made one of NCCL."""

        def __instancecheck__(cls, one: object) -> bool:
            return isinstance(one, (real, gloo))

    class Group(metaclass=Made):
        """What is made where a group of NCCL would be."""

        Options = real.Options

        def __new__(cls, store: Any, rank: int, size: int, options: Any) -> Any:
            return gloo(store, rank, size, timeout=options._timeout)  # noqa: SLF001

    vars(distributed)["ProcessGroupNCCL"] = Group
    # A group bound to a GPU would be split off another one of NCCL.
    vars(distributed)["_get_split_source"] = lambda _: None
    begin = vars(distributed)["init_process_group"]

    @wraps(begin)
    def init_process_group(*args: Any, **options: Any) -> None:
        begin(*args, **options)
        _check(distributed)

    vars(distributed)["init_process_group"] = init_process_group


def _check(distributed: ModuleType) -> None:
    """Say so where ranks that have a GPU each begin without NCCL."""
    names = vars(distributed)
    ranks, config = names["get_world_size"](), names["get_backend_config"]()
    if ranks > 1 and os.environ.get(DEVICE_VARIABLE) == "cuda" and "nccl" not in config:
        sys.stderr.write(f"stand-in found: ranks with a GPU each talk by {config}, not NCCL\n")
