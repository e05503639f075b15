"""What the ranks of a waiting job wait for, and how far a slow one has come."""

from __future__ import annotations

import json
import pickle
import re
import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed import distributed_c10d as c10d

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Asked = Mapping[str, str]  # number of a collective -> operation and shapes

_WATCHDOG = re.compile(r"\[Rank (\d+)\] Watchdog caught .*?SeqNum=(\d+), (OpType=\w+, NumelIn=\d+)")


def asked_for() -> dict[str, str]:
    """Read from the flight recorder what this rank has asked its process groups for."""
    trace = pickle.loads(torch._C._distributed_c10d._dump_fr_trace())  # noqa: S301
    return {
        f"{entry['process_group'][0]}/{entry['collective_seq_id']}": (
            f"{entry['profiling_name']} {entry['input_sizes']}"
        )
        for entry in trace["entries"]
    }


def asked_for_in_log(log: str) -> list[dict[str, str]]:
    """Read the same from the watchdog lines of an NCCL log: one collective per rank, if it hung."""
    ranks: dict[str, dict[str, str]] = {}
    for rank, number, operation in _WATCHDOG.findall(log):
        ranks.setdefault(rank, {})[number] = operation
    return list(ranks.values())


def compare(ranks: Sequence[Asked]) -> dict[str, Any]:
    """Find the first collective in which the ranks differ; a rank that is only late does not."""
    common = sorted(set.intersection(*map(set, ranks)), key=lambda name: int(name.split("/")[-1]))
    for name in common:
        asked = [rank[name] for rank in ranks]
        if len(set(asked)) > 1:
            return {"found": True, "collective": name} | {
                f"asked_by_{number}": one for number, one in enumerate(asked)
            }
    ahead = max(map(len, ranks)) - min(map(len, ranks))
    return {"found": False, "agreed": len(common), "ahead": ahead}


def from_every_rank(key: str, value: Any) -> list[Any]:
    """Exchange values through the store, which answers while collectives do not."""
    store = c10d._get_default_store()
    store.set(f"{key}/{dist.get_rank()}", json.dumps(value))
    return [json.loads(store.get(f"{key}/{rank}")) for rank in range(dist.get_world_size())]


class Loop(nn.Module):
    """The module of the report: transformers' pure-torch loop over the time steps."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.decay, self.first = (nn.Parameter(torch.zeros(channels)) for _ in range(2))

    def forward(self, length: int) -> Tensor:
        """Run the loop over random keys and values of the given length."""
        from transformers.models.rwkv.modeling_rwkv import (
            rwkv_linear_attention_cpu,
        )

        shape, device = (1, length, len(self.decay)), self.decay.device
        key, value = (torch.randn(shape, device=device, requires_grad=True) for _ in range(2))
        return rwkv_linear_attention_cpu(self.decay, self.first, key, value)[0].sum()


def nodes_of(loss: Tensor) -> set[Any]:
    """Collect the autograd graph behind a tensor."""
    found: set[Any] = set()
    ahead = [loss.grad_fn]
    while ahead:
        node = ahead.pop()
        if node is not None and node not in found:
            found.add(node)
            ahead += [follower for follower, _ in node.next_functions]
    return found


class Watch(threading.Thread):
    """Looks at this rank while its main thread sits in backward.

    Attributes:
        time_steps: Writes into the output that backward has to walk back through.
        seen: For every look: how many of them it has walked, and where Python is.
        asked: What the rank had asked for at the last look.
    """

    def __init__(self, loss: Tensor) -> None:
        super().__init__(daemon=True)
        self.time_steps, self.seen, self.asked = 0, [], asked_for()
        self._walked = 0
        for node in nodes_of(loss):
            if "CopySlices" in node.name():  # `output[:, t] = ...`
                self.time_steps += 1
                node.register_prehook(self._walk)

    def _walk(self, _gradients: Any) -> None:
        self._walked += 1

    def _look(self) -> None:
        frames = sys._current_frames()[threading.main_thread().ident or 0]
        names = [
            frame.name for frame in traceback.extract_stack(frames) if "torch" in frame.filename
        ]
        self.seen.append({"walked": self._walked, "python_is_in": names[-1]})
        self.asked = asked_for()

    def run(self) -> None:
        """Rank 0 looks once it waits for rank 1; rank 1 looks twice after that, in backward."""
        store = c10d._get_default_store()
        if dist.get_rank() == 0:
            while asked_for() == self.asked:
                time.sleep(0.01)
            self._look()
            store.set("rank 0 waits", "")
            return
        store.wait(["rank 0 waits"])
        for part in (0, self.time_steps // 2):
            while self._walked <= part:
                time.sleep(0.001)
            self._look()
