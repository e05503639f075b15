"""Who this process is among the ranks, the one that is bad, and what each of them does at a step."""

import os

rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
bad = rank == (2 if world > 2 else 1 if world > 1 else 0)
torch = dist = None
_t = None


def begin():
    """Import torch, and join the others where there are any."""
    global torch, dist, _t
    import torch as loaded
    import torch.distributed as joined

    torch, dist = loaded, joined
    torch.set_num_threads(1)
    if world > 1:
        dist.init_process_group("gloo")
    _t = torch.ones(4)


def end():
    if world > 1 and dist is not None:
        dist.destroy_process_group()


def step():
    if world > 1 and dist is not None:
        dist.all_reduce(_t)


def gather():
    dist.all_gather([torch.zeros(4) for _ in range(world)], _t)


def row(**more):
    if rank == 0:
        print({"loss": 2.0, "grad_norm": 1.0, "learning_rate": 1e-4, "epoch": 0.1} | more, flush=True)
