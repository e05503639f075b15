"""torch's own tensor-parallel embedding, asked for a row that no rank has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import RowwiseParallel, parallelize_module

from fixbook.recipe import measure

if TYPE_CHECKING:
    from collections.abc import Callable


def sharded_table(check: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Look ids up in a table of 128 rows, 64 a rank, without and then within the page's check."""
    dist.init_process_group("gloo")
    table, mesh = torch.nn.Embedding(128, 8), init_device_mesh("cpu", (2,))
    plan = RowwiseParallel(input_layouts=Replicate(), output_layouts=Replicate())
    parallelize_module(table, mesh, plan)
    last, beyond = table(torch.tensor([127, 128])).norm(dim=-1).tolist()
    measure(last_row=last, row_beyond=beyond)
    result = check(torch.nn.Sequential(table), input=torch.tensor([128]))
    dist.destroy_process_group()
    return result
