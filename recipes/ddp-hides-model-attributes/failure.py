"""A model inside DistributedDataParallel or DataParallel, used as if it were bare."""

from __future__ import annotations

from typing import Any

import torch
import transformers
from torch.nn.parallel import DataParallel, DistributedDataParallel

SIZE: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
LAYERS: dict[str, Any] = {"num_hidden_layers": 1, "num_attention_heads": 2}
ENDS: dict[str, Any] = {"bos_token_id": 1, "eos_token_id": None, "pad_token_id": 0}
WRAPPERS = {"ddp": DistributedDataParallel, "dp": DataParallel, "bare": lambda model: model}


def build() -> Any:
    """Return a small Llama, the same on all ranks."""
    torch.manual_seed(0)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZE, **LAYERS, **ENDS))


def generate(model: Any, inputs: Any) -> Any:
    """Write a few tokens, as an evaluation between two epochs does."""
    return model.generate(**inputs, max_new_tokens=2, do_sample=False)


def last_token(model: Any) -> Any:
    """Read the configuration, as a script that pads does."""
    return model.config.pad_token_id
