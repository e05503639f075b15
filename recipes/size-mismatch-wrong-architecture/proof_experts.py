"""An adapter on the weights of experts, as PEFT saved it before 0.19."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import peft
import torch
from failure import IDS, train
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import MixtralConfig, MixtralForCausalLM

from fixbook.recipe import device, measure

FILE = Path("experts", "adapter_model.safetensors")
WEIGHTS = ["experts.gate_up_proj", "experts.down_proj"]


def base() -> Any:
    """Make a model of two experts, 32 wide and 48 within."""
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"vocab_size": 128, "hidden_size": 32, "intermediate_size": 48}
    sizes |= {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2}
    model: Any = MixtralForCausalLM(MixtralConfig(num_local_experts=2, **sizes))
    return model.to(device())


def exchange() -> None:
    """Write the widths as PEFT did before 0.19: those of lora_A and of lora_B exchanged."""
    new = load_file(FILE)
    names = {name: name.replace("lora_A", "lora_?").replace("lora_B", "lora_A") for name in new}
    old = {to.replace("lora_?", "lora_B"): new[name].T.contiguous() for name, to in names.items()}
    save_file(old, FILE)


def outputs(model: Any) -> Any:
    """Return the logits of what was trained."""
    with torch.no_grad():
        return model.eval()(input_ids=IDS.to(device())).logits


def load_and_merge() -> dict[str, Any]:
    """Train an adapter on the experts, save it as PEFT 0.18 does, load it, and merge it."""
    lora = LoraConfig(target_modules=[], target_parameters=WEIGHTS)
    model = train(get_peft_model(base(), lora))
    model.save_pretrained("experts")
    if not peft.__version__.startswith("0.18."):
        exchange()
    shapes = {name: list(tensor.shape) for name, tensor in load_file(FILE).items()}
    measure(width=next(shape[1] for name, shape in shapes.items() if "experts.lora_A" in name))
    wanted, untrained = outputs(model), outputs(base())
    measure(learned=(wanted - untrained).norm().item())
    merged = PeftModel.from_pretrained(base(), "experts").merge_and_unload()
    return {"off_by": (outputs(merged) - wanted).abs().max().item()}
