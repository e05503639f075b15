"""A model whose own code multiplies by weights that are held in 4 bits."""

from typing import Any

import torch
from torch.nn import functional
from transformers import BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaMLP

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 1}


class WeightsRead(LlamaMLP):
    """An MLP that reads the weights, as fused kernels and code of models do."""

    def forward(self, x: Any) -> Any:
        """Multiply by the three weights."""
        gate = functional.linear(x, self.gate_proj.weight)
        up = functional.linear(x, self.up_proj.weight)
        return functional.linear(self.act_fn(gate) * up, self.down_proj.weight)


class Model(LlamaForCausalLM):
    """A Llama with such an MLP."""

    mlp: Any = WeightsRead

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__(config)
        for layer in self.model.layers:
            layer.mlp = self.mlp(config)
        self.post_init()


def save() -> None:
    """Write the base."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES)).save_pretrained("base")


def load(kind: Any = Model, bits: int = 4) -> Any:
    """Load it, in 4 or in 32 bits."""
    four = BitsAndBytesConfig(load_in_4bit=True) if bits == 4 else None
    given: dict[str, Any] = {"quantization_config": four, "dtype": torch.float32}
    return kind.from_pretrained("base", device_map=device(), **given)
