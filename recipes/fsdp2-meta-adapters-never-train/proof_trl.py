"""QLoRA as TRL users write it, with nothing put on meta by hand: what transformers itself does."""

from __future__ import annotations

import os
from typing import Any

import torch
from proof_ranks import (
    VOCABULARY,
    AdapterWatch,
    gloo_as_accelerators,
    on_every_rank,
    samples,
    stop,
    write_base_model,
)

from fixbook.recipe import fix, measure, reproduce
from fixbook.recipe.helpers import tiny_tokenizer

TRL = ["trl==1.16.0", "datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9", "tokenizers==0.22.2"]
BEFORE = ["transformers==4.57.6", "huggingface_hub==0.36.0", *TRL]
SINCE = ["transformers==5.0.0", "huggingface_hub==1.17.0", *TRL]


def run(*, ram_efficient: bool = True) -> dict[str, Any]:
    """Let `SFTTrainer` load a model in 4 bits, add the adapters and train."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import BitsAndBytesConfig
    from trl import SFTConfig, SFTTrainer

    gloo_as_accelerators()
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


@reproduce(on="cpu", ranks=2, versions=BEFORE, needs=["bitsandbytes"], timeout_s=180)
def trl_qlora_stays_on_meta() -> dict[str, Any]:
    """Transformers 4.57 leaves the 4-bit model of the other ranks on meta; FSDP2 refuses it."""
    return run()


@fix(
    "load-on-every-rank",
    control="trl-qlora-stays-on-meta",
    on="cpu",
    ranks=2,
    versions=BEFORE,
    needs=["bitsandbytes"],
    timeout_s=180,
)
def trl_qlora_loads_on_every_rank() -> dict[str, Any]:
    """The same release with cpu_ram_efficient_loading: false."""
    return run(ram_efficient=False)


@fix(
    "transformers-5",
    control="trl-qlora-stays-on-meta",
    on="cpu",
    ranks=2,
    versions=SINCE,
    needs=["bitsandbytes"],
    timeout_s=180,
)
def trl_qlora_on_transformers_5() -> dict[str, Any]:
    """Since 5.0 every rank reads a 4-bit model, whatever the setting says."""
    return run()
