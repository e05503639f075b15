"""Data-parallel training over gloo, started by torchrun: DDP, FSDP2 and checkpoints of DCP."""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from small_model import Sentences, small_llama
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel


def main() -> None:
    """Train some steps and log each of them on every rank."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    for flag in ("fsdp2", "find-unused", "static-graph", "save", "mismatched-strides", "old-api"):
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    layout = f"%(asctime)s [%(levelname)s] [rank {rank}] %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, format=layout)
    log = logging.getLogger("train")
    model = small_llama()
    if options.fsdp2:
        for layer in model.model.layers:
            fully_shard(layer)
        fully_shard(model)
        wrapped: torch.nn.Module = model
    else:
        wrapped = DistributedDataParallel(
            model,
            find_unused_parameters=options.find_unused,
            static_graph=options.static_graph,
            gradient_as_bucket_view=options.mismatched_strides,
        )
    optimizer = torch.optim.AdamW(wrapped.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.steps)
    if options.old_api:
        scaler = torch.cuda.amp.GradScaler(enabled=False)
        schedule.step()  # before optimizer.step(), which warns
        log.info("scaler enabled: %s", scaler.is_enabled())
    data = torch.utils.data.DataLoader(Sentences(64), batch_size=2, pin_memory=options.old_api)
    batches = list(data)
    for step in range(options.steps):
        loss = wrapped(**batches[step % len(batches)]).loss
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(wrapped.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        text = "step %d/%d loss=%.4f grad_norm=%.3f lr=%.2e"
        log.info(text, step + 1, options.steps, loss.item(), float(norm), schedule.get_last_lr()[0])
    if options.save:
        _save_and_load(wrapped, optimizer, log)
    dist.barrier()
    dist.destroy_process_group()


def _save_and_load(
    model: torch.nn.Module, optimizer: torch.optim.Optimizer, log: logging.Logger
) -> None:
    folder = [tempfile.mkdtemp() if dist.get_rank() == 0 else ""]
    dist.broadcast_object_list(folder)
    for round_number in range(3):
        weights, states = get_state_dict(model, optimizer)
        state = {"model": weights, "optimizer": states}
        where = Path(folder[0]) / f"step-{round_number}"
        dcp.save(state, checkpoint_id=where)
        dcp.load(state, checkpoint_id=where)
        set_state_dict(
            model, optimizer, model_state_dict=state["model"], optim_state_dict=state["optimizer"]
        )
        log.info("saved and loaded checkpoint %d", round_number)


if __name__ == "__main__":
    main()
