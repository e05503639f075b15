"""Make the runs of runs.tar.gz with the real libraries; by hand: they take minutes.

Usage: python tests/run_files/make_runs.py FOLDER, with transformers, peft and tensorboard; then
python -m torch.distributed.run --nproc_per_node=3 tests/run_files/make_runs.py FOLDER KIND for
each kind of dump; then tar -czf tests/run_files/runs.tar.gz -C FOLDER --sort=name .
"""

from __future__ import annotations

import os
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "vocab_size": 32,
}


def train(folder: Path, change: Callable[..., Any]) -> None:
    """Train a tiny model for twelve steps, as a change has it."""
    from transformers import (  # noqa: PLC0415  (slow; a dump needs none of it)
        LlamaConfig,
        LlamaForCausalLM,
        Trainer,
        TrainingArguments,
    )

    torch.manual_seed(0)
    config = LlamaConfig(**SIZES, num_attention_heads=2, num_key_value_heads=2)
    rows = [{"input_ids": [i % 30 + 1] * 8, "labels": [i % 30 + 1] * 8} for i in range(48)]
    settings: dict[str, Any] = {
        "output_dir": str(folder),
        "max_steps": 12,
        "save_steps": 6,
        "logging_steps": 1,
        "save_only_model": True,
        "report_to": ["tensorboard"],
        "use_cpu": True,
        "learning_rate": 1e-2,
        "per_device_train_batch_size": 2,
        "disable_tqdm": True,
    }
    given: dict[str, Any] = {}
    model = change(LlamaForCausalLM(config), rows, settings, given)
    arguments = TrainingArguments(**settings)
    trainer = Trainer(model, arguments, train_dataset=rows, eval_dataset=rows[:4], **given)
    trainer.train()
    trainer.save_state()


def healthy(model: Any, _rows: Any, settings: Any, _given: Any) -> Any:
    settings.update(eval_strategy="steps", eval_steps=6, warmup_steps=3)
    return model


def lora(model: Any, *_others: Any) -> Any:
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415  (as above)

    adapter = LoraConfig(r=2, target_modules=["q_proj"], modules_to_save=["lm_head"])
    return get_peft_model(model, adapter)


def lora_cut_off(model: Any, *_others: Any) -> Any:
    made = lora(model)

    def cut(_module: Any, _inputs: Any, output: Any) -> Any:
        output.last_hidden_state = output.last_hidden_state.detach()
        return output

    made.base_model.model.model.register_forward_hook(cut)
    return made


def no_labels(model: Any, rows: Any, *_others: Any) -> Any:
    for row in rows:
        row["labels"] = [-100] * 8
    return model


def not_a_number(model: Any, *_others: Any) -> Any:
    calls = []

    def spoil(_module: Any, _inputs: Any, output: Any) -> Any:
        calls.append(1)
        return output * float("nan") if len(calls) == 4 else output

    model.lm_head.register_forward_hook(spoil)
    return model


def other_optimizer(model: Any, _rows: Any, _settings: Any, given: Any) -> Any:
    given["optimizers"] = (torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))]), None)
    return model


def no_rate(model: Any, _rows: Any, settings: Any, _given: Any) -> Any:
    settings.update(learning_rate=0.0)
    return model


def no_metric(model: Any, _rows: Any, settings: Any, _given: Any) -> Any:
    settings.update(eval_strategy="steps", eval_steps=6, label_names=["answers"])
    return model


def dump(folder: Path, kind: str) -> None:
    """Have three ranks part as a kind says, and keep what the recorder holds."""
    dist.init_process_group("gloo")
    rank, ones = dist.get_rank(), torch.ones(4)
    recorder: Any = import_module("torch._C._distributed_c10d")

    def keep() -> None:
        time.sleep(4)
        (folder / f"trace_rank_{rank}").write_bytes(recorder._dump_fr_trace())
        (folder / f"trace_rank_{rank}.json").write_bytes(recorder._dump_fr_trace_json())
        time.sleep(2)
        os._exit(0)

    threading.Thread(target=keep, daemon=True).start()
    for _ in range(3):
        dist.all_reduce(ones)
    if rank == 1 and kind == "rank-missing":
        load_more()
    elif rank == 1 and kind == "other-call":
        dist.all_gather([torch.ones(4) for _ in range(3)], ones)
    elif rank == 1 and kind == "other-size":
        dist.all_reduce(torch.ones(5))
    else:
        dist.all_reduce(ones)
    time.sleep(60)


def load_more() -> None:
    time.sleep(60)


RUNS: tuple[Callable[..., Any], ...] = (
    *(healthy, lora, lora_cut_off, no_labels, not_a_number, other_optimizer, no_rate, no_metric),
)

if __name__ == "__main__":
    target = Path(sys.argv[1])
    for one in RUNS if len(sys.argv) == 2 else ():
        train(target / one.__name__.replace("_", "-"), one)
    for named in sys.argv[2:]:
        (target / f"dumps-{named}").mkdir(parents=True, exist_ok=True)
        dump(target / f"dumps-{named}", named)
