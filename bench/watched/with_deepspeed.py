"""ZeRO at each stage on processors, over gloo."""

import sys

import deepspeed
import torch
from pauses import pause
from tiny import Sentences, small_llama

stage, pauses = int(sys.argv[1].removeprefix("zero")[0]), [one for one in sys.argv[2:] if not one.startswith("-")]
deepspeed.init_distributed("gloo")
rank = deepspeed.comm.get_rank()
config = {
    "train_micro_batch_size_per_gpu": 2,
    "steps_per_print": 5,
    "zero_optimization": {"stage": stage},
    "bf16": {"enabled": "bf16" in sys.argv[1]},
    "zero_allow_untested_optimizer": True,
}
model = small_llama()
engine, *_ = deepspeed.initialize(model=model, optimizer=torch.optim.AdamW(model.parameters(), lr=1e-3), config=config)
rows = list(torch.utils.data.DataLoader(Sentences(64), batch_size=2))
for at in range(16):
    loss = engine(**rows[at]).loss
    engine.backward(loss)
    engine.step()
    norm = engine.get_global_grad_norm()
    if rank == 0:
        print({"loss": loss.item(), "grad_norm": float(norm or 1.0), "learning_rate": 1e-3, "step": at}, flush=True)
    if at == 8:
        engine.save_checkpoint("out")
        if rank == 0:
            for one in pauses:
                pause(one)
        deepspeed.comm.barrier()
torch.distributed.destroy_process_group()
