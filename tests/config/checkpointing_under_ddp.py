"""Three steps under DDP with one process: checkpointing_under_ddp.py REENTRANT FIND_UNUSED."""

from __future__ import annotations

import os
import sys
import tempfile

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        result: torch.Tensor = checkpoint(self.second, hidden, use_reentrant=sys.argv[1] == "True")
        return result


def main() -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "GLOO_SOCKET_IFNAME": "lo"}
    with tempfile.TemporaryDirectory() as folder:
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{folder}/store", rank=0, world_size=1
        )
        model = DistributedDataParallel(Block(), find_unused_parameters=sys.argv[2] == "True")
        for _ in range(3):
            model(torch.randn(2, 8)).sum().backward()
        torch.distributed.destroy_process_group()


main()
