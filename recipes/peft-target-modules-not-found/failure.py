"""LoRA put on a small model, with the names of its layers written in one way or another."""

from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import MixtralConfig, MixtralForCausalLM, Phi3Config, Phi3ForCausalLM

from fixbook.recipe import device

SIZES: dict[str, Any] = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def base(*, experts: bool = False) -> Any:
    """Make a model with fused projections, or one with experts."""
    torch.manual_seed(0)
    model: Any = Phi3ForCausalLM(Phi3Config(**SIZES))
    if experts:
        model = MixtralForCausalLM(MixtralConfig(num_local_experts=4, **SIZES))
    return model.to(device())


def config(targets: Any) -> Any:
    """Name the layers that get an adapter; with None, PEFT is to know them."""
    return LoraConfig(task_type="CAUSAL_LM", target_modules=targets)


def adapt(model: Any, lora: Any) -> Any:
    """Put the adapters on."""
    return get_peft_model(model, lora)


def train(model: Any) -> float:
    """Learn one batch by heart, and return how far the loss has fallen."""
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-2)
    ids, losses = torch.randint(3, 64, (4, 16)).to(device()), []
    for _ in range(40):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return float(losses[0] - losses[-1])
