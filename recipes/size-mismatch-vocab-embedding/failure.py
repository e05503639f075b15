"""Add tokens, train, save; then load onto a model whose tables have other rows."""

from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM

from fixbook.recipe import device

TAGS = torch.tensor([126, 127, 128, 129])  # the last two: what tokenizer.add_tokens gave


def loss_of(model: Any, tags: Any = TAGS) -> Any:
    """Return the loss of answering each tag with a token of its own."""
    start = torch.tensor([[2, 5]]).repeat(len(tags), 1)
    ids = torch.cat([start, tags[:, None], (tags - 116)[:, None]], dim=1)
    labels = ids.clone()
    labels[:, :3] = -100
    return model(input_ids=ids.to(device()), labels=labels.to(device())).loss


def train(model: Any) -> Any:
    """Learn the four answers."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], 1e-2)
    for _ in range(40):
        loss_of(model).backward()
        optimizer.step()
        optimizer.zero_grad()
    return model


def read_model(folder: str, **options: Any) -> Any:
    """Read a model onto the device."""
    model: Any = AutoModelForCausalLM.from_pretrained(folder, **options)
    return model.to(device())


def grown(base: str) -> Any:
    """Read the base, and grow its tables for 130 tokens, rounded up to 192 rows."""
    model = read_model(base)
    model.resize_token_embeddings(130, pad_to_multiple_of=64)
    return model


def lora(model: Any, *, tables: str = "trained") -> Any:
    """Put LoRA on the model; its tables are trained whole, by LoRA, or not at all."""
    targets, whole = ["q_proj", "v_proj"], ["embed_tokens", "lm_head"]
    if tables == "targets":
        targets.append("embed_tokens")
    elif tables == "by LoRA alone":
        targets += whole
    saved = whole if tables == "trained" else None
    return get_peft_model(model, LoraConfig(target_modules=targets, modules_to_save=saved))


def read_base(base: str, *, rows: int | None = None) -> Any:
    """Read the base; ``rows``: and resize its tables."""
    model = read_model(base)
    if rows is not None:
        model.resize_token_embeddings(rows)
    return model


def read_for(tokenizer: Any, folder: str) -> Any:
    """Read a model for a tokenizer that has more tokens."""
    return AutoModelForCausalLM.from_pretrained(folder, vocab_size=len(tokenizer))


def load_adapter(model: Any, folder: str, *, ignore: bool = False) -> Any:
    """Put a saved adapter on the model."""
    return PeftModel.from_pretrained(model, folder, ignore_mismatched_sizes=ignore)


def load_model(folder: str, config: str, *, ignore: bool = False) -> Any:
    """Read weights from one folder, with the configuration of that folder or of another."""
    settings = AutoConfig.from_pretrained(config)
    return read_model(folder, config=settings, ignore_mismatched_sizes=ignore)
