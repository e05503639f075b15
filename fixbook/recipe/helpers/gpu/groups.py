"""Process groups of ranks on GPUs that stand in: who asks for NCCL gets gloo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
