"""Adapters on a frozen model under gradient checkpointing, whose inputs need no gradient."""

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch.nn import Embedding, Linear
from torch.utils.checkpoint import checkpoint
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2VLConfig,
    Qwen2VLForConditionalGeneration,
    Trainer,
    TrainingArguments,
)
from yaml import safe_load

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
TOKENS = torch.arange(4, 20).reshape(2, 8)


def adapted(*, frozen: bool = False, **lora: Any) -> Any:
    """Return a small Llama with an adapter; ``frozen`` loads it as PEFT does by default."""
    torch.manual_seed(0)
    base = LlamaForCausalLM(LlamaConfig(num_attention_heads=4, **SIZES))
    config = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False, **lora)
    model = get_peft_model(base, config)
    model.save_pretrained("adapter")
    loaded: Any = PeftModel.from_pretrained(model.unload(), "adapter", is_trainable=not frozen)
    return loaded.to(device())


def checkpointed(*, reentrant: bool = True, **changes: Any) -> Any:
    """Return the model, ready to train."""
    model = adapted(**changes).train()
    model.gradient_checkpointing_enable({"use_reentrant": reentrant})
    return model


def features() -> torch.Tensor:
    """Return what a frozen encoder has made of two images."""
    return torch.sin(torch.arange(512.0, device=device())).reshape(2, 8, 32)


def step(model: Any, images: torch.Tensor, *, forced: bool = False) -> Any:
    """Train on features instead of token ids."""
    loss = model(inputs_embeds=images, labels=TOKENS.to(device())).loss
    if forced:
        loss.requires_grad_()
    loss.backward()
    return loss


def own_blocks(*, reentrant: bool | None = None) -> Any:
    """Checkpoint a block behind frozen embeddings, in plain PyTorch."""
    torch.manual_seed(0)
    embedding = Embedding(8, 4, device=device()).requires_grad_(requires_grad=False)
    block = Linear(4, 4, device=device())
    inputs = embedding(torch.arange(8, device=device()))
    checkpoint(block, inputs, use_reentrant=reentrant).pow(2).mean().backward()
    return block


def under_trainer(model: Any, file: str, *, by_hand: bool = False) -> None:
    """Train on token ids with the arguments of a file."""
    settings = safe_load(Path(file).read_text("utf-8"))
    arguments = TrainingArguments(use_cpu=device() == "cpu", **settings)
    if by_hand:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    sample = {"input_ids": TOKENS[0], "labels": TOKENS[0]}
    Trainer(model, arguments, train_dataset=[sample] * 2).train()


def vision_model(*, reentrant: bool = True) -> Any:
    """Return a small Qwen2-VL with adapters on vision tower and language model."""
    torch.manual_seed(0)
    text = {**SIZES, "num_attention_heads": 4, "num_key_value_heads": 2, "bos_token_id": 1}
    scaling = {"rope_type": "default", "type": "mrope", "mrope_section": [1, 1, 2]}
    tower = {"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 4, "patch_size": 4}
    ids = {"image_token_id": 5, "vision_start_token_id": 6, "video_token_id": 7}
    config = Qwen2VLConfig({**text, "rope_scaling": scaling}, tower, **ids)
    lora = LoraConfig(target_modules=["q_proj", "v_proj", "qkv"], init_lora_weights=False)
    model: Any = get_peft_model(Qwen2VLForConditionalGeneration(config), lora)
    model.to(device()).train().gradient_checkpointing_enable({"use_reentrant": reentrant})
    model.enable_input_require_grads()
    return model


def step_on_an_image(model: Any) -> None:
    """Train on one image of 16 tokens."""
    tokens = torch.tensor([[1, 6, *[5] * 16, 2, 3]], device=device())
    pixels, grid = torch.ones(64, 96, device=device()), torch.tensor([[1, 8, 8]], device=device())
    mask = torch.ones_like(tokens)
    inputs = {"input_ids": tokens, "attention_mask": mask, "labels": tokens}
    model(pixel_values=pixels, image_grid_thw=grid, **inputs).loss.backward()
