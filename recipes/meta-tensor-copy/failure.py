"""Load a small model in the ways that leave tensors without data, and move, train or merge it."""

from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

IDS = [[2, 5, 7, 9]]
LAST = "model.layers.1"
PARTS = ["model.embed_tokens", "model.layers.0", "model.norm", "model.rotary_emb", "lm_head"]


class Own(LlamaForCausalLM):  # type: ignore[no-untyped-call]
    """A model that computes a buffer and a list while it is built."""

    def __init__(self, config: LlamaConfig, how: str = "") -> None:
        """Copy the tensor, or take numbers out of it."""
        super().__init__(config)
        scale = torch.arange(4.0)
        self.steps = {"cpu": scale.cpu, "item": scale.sum().item}.get(how, list)()
        self.register_buffer("scale", scale, persistent=False)


def on_meta() -> Any:
    """Build a model by hand: shapes, and no data."""
    with torch.device("meta"):
        return LlamaForCausalLM(LlamaConfig.from_pretrained("base"))


def state_dict() -> dict[str, torch.Tensor]:
    """Read the weights."""
    return load_file("base/model.safetensors")


def offloaded(device: str) -> Any:
    """Load with the last layer on disk, as device_map="auto" does where memory is short."""
    places = {LAST: "disk"} | dict.fromkeys(PARTS, device)
    return AutoModelForCausalLM.from_pretrained("base", device_map=places, offload_folder="disk")


def with_lora(model: Any, **options: Any) -> Any:
    """Put LoRA on every layer."""
    return get_peft_model(model, LoraConfig(target_modules=["q_proj", "v_proj"], **options))


def merged(model: Any) -> Any:
    """Load the adapter onto a base, and merge it."""
    return PeftModel.from_pretrained(model, "adapter").merge_and_unload()


def backward(model: Any) -> int:
    """Train one step; return how many of the weights to be trained got no gradient."""
    ids = torch.tensor(IDS, device=model.device)
    model(input_ids=ids, labels=ids).loss.backward()
    return sum(p.grad is None for p in model.parameters() if p.requires_grad)
