"""A checkpoint with code of its own beside it, and a text that it generates."""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

CODE = Path(__file__).with_name("old_model.py")
SIZES: dict[str, Any] = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "initializer_range": 0.3,  # random weights that tell tokens and positions apart
    "bos_token_id": 1,
    "eos_token_id": None,
    "pad_token_id": 0,
}


def save(folder: str, edits: dict[str, str]) -> None:
    """Save a small Llama with its code, after these edits of the code."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**SIZES)).save_pretrained(folder)
    path = Path(folder, "config.json")
    named = {"auto_map": {"AutoModelForCausalLM": "old_model.OldModel"}}
    path.write_text(json.dumps(json.loads(path.read_text()) | named))
    code = CODE.read_text()
    for old, new in edits.items():
        code = code.replace(old, new)
    Path(folder, "old_model.py").write_text(code)


def generate(model: Any, call: Any = None) -> list[int]:
    """Return the tokens that the model adds to a batch of two prompts."""
    prompt = torch.arange(1, 33).view(2, 16)
    prompt[1, :4] = 0  # the shorter prompt is padded at its left
    options: Any = {"attention_mask": (prompt > 0).long(), "max_new_tokens": 16}
    options |= {"do_sample": False, "input_ids": prompt}
    tokens = call(options) if call else model.generate(**options)
    return list(tokens[:, 16:].flatten().tolist())
