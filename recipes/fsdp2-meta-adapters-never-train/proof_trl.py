"""QLoRA as TRL users write it, with nothing put on meta by hand: what transformers itself does."""

from __future__ import annotations

import os
from typing import Any

import torch
from proof_ranks import (
    VOCABULARY,
    AdapterWatch,
    join_as_accelerators,
    on_every_rank,
    samples,
    stop,
    write_base_model,
)

from fixbook.recipe import measure
from fixbook.recipe.helpers import tiny_tokenizer


def train_in_4_bits(*, ram_efficient: bool = True) -> dict[str, Any]:
    """Let `SFTTrainer` load a model in 4 bits, add the adapters and train."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import BitsAndBytesConfig
    from trl import SFTConfig, SFTTrainer

    join_as_accelerators()
    os.environ["FSDP_VERSION"] = "2"  # as `accelerate launch` exports it
    four_bit = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_compute_dtype=torch.float32,
        bnb_4bit_quant_storage=torch.float32,
    )
    args = SFTConfig(
        "out",
        fsdp="full_shard auto_wrap",
        fsdp_config={
            "version": 2,
            "cpu_ram_efficient_loading": ram_efficient,
            "transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"],
        },
        model_init_kwargs={"quantization_config": four_bit, "dtype": torch.float32},
        max_steps=2,
        save_strategy="no",
        per_device_train_batch_size=2,
        bf16=False,
        gradient_checkpointing=False,
        report_to=[],
        disable_tqdm=True,
    )
    _ = args.device
    write_base_model(hidden_size=64)
    rows = [{"input_ids": sample["input_ids"].tolist()} for sample in samples()]
    trainer = SFTTrainer(
        "base",
        args,
        train_dataset=Dataset.from_list(rows),
        processing_class=tiny_tokenizer(vocab_size=VOCABULARY),
        peft_config=LoraConfig(r=8, target_modules=["q_proj", "v_proj"]),
        callbacks=[AdapterWatch()],
    )
    parameters = list(trainer.model.parameters())  # of the 4-bit model and of the adapters
    on_meta = on_every_rank(sum(p.is_meta for p in parameters) / len(parameters))
    measure(on_meta=on_meta[-1], first_rank_on_meta=on_meta[0])
    trainer.train()
    stop()
    return {}
