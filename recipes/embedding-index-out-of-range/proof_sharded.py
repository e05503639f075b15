"""torch's own tensor-parallel embedding, asked for a row that no rank has."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from proof_tables import check
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import RowwiseParallel, parallelize_module

from fixbook.recipe import backend, device, measure


def sharded_table() -> dict[str, Any]:
    """Look ids up in a table of 128 rows, 64 a rank, without and then within the page's check."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    table, mesh = torch.nn.Embedding(128, 8), init_device_mesh(device().split(":")[0], (2,))
    plan = RowwiseParallel(input_layouts=Replicate(), output_layouts=Replicate())
    parallelize_module(table.to(device()), mesh, plan)
    last, beyond = table(torch.tensor([127, 128], device=device())).norm(dim=-1).tolist()
    measure(last_row=last, row_beyond=beyond)
    result = check(torch.nn.Sequential(table), input=torch.tensor([128], device=device()))
    dist.destroy_process_group()
    return result
