"""A loop of one's own under `accelerate launch`."""

import sys

import torch
from accelerate import Accelerator
from pauses import pause
from tiny import Sentences, small_llama

kind, pauses = sys.argv[1], sys.argv[2:]
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2 if kind == "accumulates" else 1)
model = small_llama()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
data = torch.utils.data.DataLoader(Sentences(96), batch_size=2)
model, optimizer, data = accelerator.prepare(model, optimizer, data)
for at, batch in enumerate(data):
    with accelerator.accumulate(model):
        loss = model(**batch).loss
        accelerator.backward(loss)
        norm = accelerator.clip_grad_norm_(model.parameters(), 1.0) if accelerator.sync_gradients else None
        optimizer.step()
        optimizer.zero_grad()
    if accelerator.is_main_process and norm is not None:
        print({"loss": loss.item(), "grad_norm": float(norm), "learning_rate": 1e-3, "step": at}, flush=True)
    if at == 12:
        if kind == "saves":
            accelerator.save_state("out/state")
        if kind == "gathers":
            accelerator.gather_for_metrics(loss.detach().reshape(1))
        if accelerator.is_main_process:
            for one in pauses:
                pause(one)
        accelerator.wait_for_everyone()
accelerator.end_training()
