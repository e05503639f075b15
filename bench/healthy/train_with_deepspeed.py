"""ZeRO on processors, with everything that DeepSpeed can print switched on."""

from __future__ import annotations

import argparse
import tempfile
from typing import Any

import deepspeed
import torch
from small_model import Sentences, small_llama


def main() -> None:
    """Train some steps at one stage and save a checkpoint."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    parser.add_argument("--stage", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--bf16", action="store_true")
    options = parser.parse_args()
    deepspeed.init_distributed("gloo")
    config: dict[str, Any] = {
        "train_micro_batch_size_per_gpu": 2,
        "gradient_accumulation_steps": 1,
        "steps_per_print": 1,
        "wall_clock_breakdown": True,
        "zero_optimization": {"stage": options.stage},
        "bf16": {"enabled": options.bf16},
        "comms_logger": {"enabled": True, "verbose": options.stage == 1},
        "zero_allow_untested_optimizer": True,
    }
    model = small_llama()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config)
    rows = list(torch.utils.data.DataLoader(Sentences(64), batch_size=2))
    for step in range(options.steps):
        loss = engine(**rows[step % len(rows)]).loss
        engine.backward(loss)
        engine.step()
    deepspeed.comm.log_summary()
    folder = [tempfile.mkdtemp() if deepspeed.comm.get_rank() == 0 else ""]
    torch.distributed.broadcast_object_list(folder)
    engine.save_checkpoint(folder[0])
    engine.load_checkpoint(folder[0])
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
