"""A LoRA on a quantised base, prepared by a function that the installed PEFT may not have."""

from typing import Any

import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

from fixbook.recipe import device

TEXT = torch.arange(16).view(2, 8)


def imported(name: str, source: str = "peft") -> Any:
    """Import a name as a script does."""
    names: dict[str, Any] = {}
    exec(f"from {source} import {name}", names)  # noqa: S102
    return names[name]


def load(base: Any, *, eight_bits: bool) -> Any:
    """Load the base in 8 bits, or take it as it is, in 16."""
    if not eight_bits:
        return base.to(device(), torch.bfloat16)
    base.to(torch.bfloat16).save_pretrained("base")
    given: dict[str, Any] = {"quantization_config": BitsAndBytesConfig(load_in_8bit=True)}
    return AutoModelForCausalLM.from_pretrained(
        "base", device_map=device(), dtype=torch.bfloat16, **given
    )


def adapted(model: Any) -> Any:
    """Put a LoRA on the model."""
    config = imported("LoraConfig")(task_type="CAUSAL_LM", target_modules=["q_proj", "v_proj"])
    return imported("get_peft_model")(model, config).train()


def train(model: Any) -> int:
    """Train three steps, and return the bytes that a forward keeps for its backward."""
    kept: list[int] = []

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept.append(tensor.nbytes)
        return tensor

    text = TEXT.to(device())
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-2)
    for _ in range(3):
        kept.clear()
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            loss = model(input_ids=text, labels=text).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return sum(kept)
