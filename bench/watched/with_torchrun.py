"""DDP and FSDP2 over gloo; one that is restarted once, and recovers."""

import os
import sys

import torch
import torch.distributed as dist
from pauses import pause
from tiny import Sentences, small_llama

kind, pauses = sys.argv[1], sys.argv[2:]
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.set_num_threads(1)
model = small_llama()
if kind.startswith("fsdp"):
    from torch.distributed.fsdp import fully_shard

    for layer in model.model.layers:
        fully_shard(layer)
    fully_shard(model)
else:
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
rows = list(torch.utils.data.DataLoader(Sentences(64), batch_size=2))
for at in range(20):
    loss = model(**rows[at]).loss
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    norm = float(norm.full_tensor() if hasattr(norm, "full_tensor") else norm)
    optimizer.step()
    optimizer.zero_grad()
    if rank == 0:
        print({"loss": loss.item(), "grad_norm": norm, "learning_rate": 1e-3, "step": at}, flush=True)
    if at == 10 and kind == "ddp_recovers" and rank == 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        sys.exit(1)  # as a node that is taken away; the next attempt goes through
    if at == 10 and kind == "fsdp_saves":
        import torch.distributed.checkpoint as dcp

        dcp.save({"model": model.state_dict()}, checkpoint_id="out/step-10")
    if at == 10:
        if rank == 0:
            for one in pauses:
                pause(one)
        dist.barrier()
dist.destroy_process_group()
