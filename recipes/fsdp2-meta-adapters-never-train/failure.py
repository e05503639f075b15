"""LoRA with FSDP2, loaded as axolotl 0.12 to 0.18 do: one rank of a node reads the weights."""

from __future__ import annotations

import os
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
from transformers.integrations import is_fsdp_enabled


def arguments(
    *,
    ram_efficient: bool = True,
    state_dict: str = "SHARDED_STATE_DICT",
    deepspeed: Any = None,
    sharded: bool = True,
    **others: Any,
) -> TrainingArguments:
    """Ask for FSDP2, DeepSpeed or plain DDP, and for a checkpoint after the second, last step."""
    fsdp = {
        "version": 2,
        "cpu_ram_efficient_loading": ram_efficient,
        "state_dict_type": state_dict,
        "transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"],
    }
    return TrainingArguments(
        "out",
        fsdp=sharded and not deepspeed,
        fsdp_config=fsdp if sharded and not deepspeed else None,
        deepspeed=deepspeed,
        max_steps=2,
        save_steps=2,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        lr_scheduler_type="constant",
        max_grad_norm=0.0,  # clipping would be one more thing in which runs can differ
        report_to=[],
        disable_tqdm=True,
        **others,
    )


def load(*, meta: bool = True, lora_rank: int = 8) -> Any:
    """Load the base model and add adapters; PEFT puts them where their layer is."""
    place = None  # left to transformers
    if meta and is_fsdp_enabled():  # that is, with RAM-efficient loading
        place = "cpu" if os.environ["LOCAL_RANK"] == "0" else "meta"
    base = AutoModelForCausalLM.from_pretrained("base", device_map=place)
    torch.manual_seed(0)
    return get_peft_model(base, LoraConfig(r=lora_rank, target_modules=["q_proj", "v_proj"]))


def train(model: Any, args: TrainingArguments, data: Any, *callbacks: Any) -> Trainer:
    """Train with transformers' own Trainer: optimizer first, then `Accelerator.prepare`."""
    trainer = Trainer(model, args, train_dataset=data, callbacks=[*callbacks])
    trainer.train()
    return trainer
