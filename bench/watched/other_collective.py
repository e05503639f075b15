"""Two ranks of which one takes another branch, and waits in another collective."""

import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
loss = torch.ones(1)
for step in range(5):
    dist.all_reduce(loss)
    if dist.get_rank() == 0:
        print(f"step {step}", flush=True)
if os.environ["RANK"] == "1":  # it has seen the end of its data first
    dist.barrier()
else:
    dist.all_reduce(loss)
