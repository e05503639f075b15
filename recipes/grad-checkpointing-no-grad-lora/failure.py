"""Adapters on a frozen model under gradient checkpointing, whose inputs need no gradient."""

from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch.nn import Embedding, Linear
from torch.utils.checkpoint import checkpoint
from transformers import HfArgumentParser, LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

SIZES = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
TOKENS = torch.arange(4, 20).reshape(2, 8)


def adapted(*, frozen: bool = False, **lora: Any) -> Any:
    """Return a small Llama with an adapter; ``frozen`` loads it as PEFT does by default."""
    torch.manual_seed(0)
    base = LlamaForCausalLM(LlamaConfig(num_attention_heads=4, **SIZES))
    config = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False, **lora)
    model = get_peft_model(base, config)
    model.save_pretrained("adapter")
    return PeftModel.from_pretrained(model.unload(), "adapter", is_trainable=not frozen)


def checkpointed(*, reentrant: bool = True, **changes: Any) -> Any:
    """Return the model, ready to train."""
    model = adapted(**changes).train()
    model.gradient_checkpointing_enable({"use_reentrant": reentrant})
    return model


def step(model: Any, *, marked: bool = False, forced: bool = False) -> Any:
    """Train on what a frozen encoder has made of two images."""
    images = torch.sin(torch.arange(512.0)).reshape(2, 8, 32).requires_grad_(marked)
    loss = model(inputs_embeds=images, labels=TOKENS).loss
    if forced:
        loss.requires_grad_()
    loss.backward()
    return loss


def own_blocks(*, reentrant: bool | None = None) -> Any:
    """Checkpoint a block behind frozen embeddings, in plain PyTorch."""
    torch.manual_seed(0)
    embedding, block = Embedding(8, 4).requires_grad_(requires_grad=False), Linear(4, 4)
    output = checkpoint(block, embedding(torch.arange(8)), use_reentrant=reentrant)
    output.pow(2).mean().backward()
    return block


def under_trainer(model: Any, file: str, *, hooked: bool = False, by_hand: bool = False) -> None:
    """Train on tokens, or on features, with the arguments of a file."""
    arguments = HfArgumentParser(TrainingArguments).parse_yaml_file(file)[0]
    if hooked:
        model.enable_input_require_grads()
    if by_hand:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    row = {"input_ids": TOKENS[0], "labels": TOKENS[0]}
    Trainer(model, arguments, train_dataset=[row] * 2).train()
