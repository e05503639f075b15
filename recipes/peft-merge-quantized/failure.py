"""A model trained by QLoRA, and the ways in which its adapter is brought into the weights."""

from typing import Any

import torch
from peft import IA3Config, LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1}
LAYERS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
TEXT = torch.randint(0, 64, (8, 16), generator=torch.Generator().manual_seed(1))


def quantisation(bits: int) -> Any:
    """Quantise as QLoRA does, or in 8 bits."""
    if bits == 8:
        return BitsAndBytesConfig(load_in_8bit=True)
    types: dict[str, Any] = {"bnb_4bit_quant_type": "nf4", "bnb_4bit_compute_dtype": torch.bfloat16}
    return BitsAndBytesConfig(load_in_4bit=True, **types)


def load(bits: int) -> Any:
    """Load the base quantised, or in 16 bits as it was published."""
    given = {"quantization_config": quantisation(bits)} if bits < 16 else {}
    return AutoModelForCausalLM.from_pretrained(
        "base", device_map=device(), dtype=torch.bfloat16, **given
    )


def train(bits: int = 4, *, ia3: bool = False) -> Any:
    """Train an adapter on the quantised base for four steps, and save it."""
    torch.manual_seed(0)
    base: Any = LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES))
    base.to(torch.bfloat16).save_pretrained("base")
    if ia3:
        config: Any = IA3Config(target_modules=LAYERS, feedforward_modules=["down_proj"])
    else:
        config = LoraConfig(task_type="CAUSAL_LM", r=8, target_modules=LAYERS)
    model = get_peft_model(load(bits), config)
    rate = 1e-2 if ia3 else 1e-3
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=rate)
    text = TEXT.to(device())
    for _ in range(4):
        model(input_ids=text, labels=text).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained("adapter")
    return model.eval()


def bring_in(bits: int, *, merge: bool = True) -> Any:
    """Put the adapter on the base, and merge it."""
    model = PeftModel.from_pretrained(load(bits), "adapter")
    return model.merge_and_unload() if merge else model
