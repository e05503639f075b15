"""A checkpoint with code of its own beside it, and a text that it generates."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

CODE = Path(__file__).with_name("own_code.py")
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


def save(name: str) -> None:
    """Save a small Llama whose repository names this class of its code."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**SIZES)).save_pretrained("model")
    path = Path("model/config.json")
    named = {"auto_map": {"AutoModelForCausalLM": f"own_code.{name}"}}
    path.write_text(json.dumps(json.loads(path.read_text()) | named))
    shutil.copy(CODE, "model")


def loaded(*, trust: bool) -> Any:
    """Load the model with its own code, or with transformers' class."""
    load: Any = AutoModelForCausalLM.from_pretrained
    return load("model", trust_remote_code=trust)


def generate(model: Any, **options: Any) -> tuple[list[int], list[int]]:
    """Return the tokens that the model adds, and how many it was given at each step."""
    given: list[int] = []
    hook = model.get_input_embeddings().register_forward_hook(
        lambda _module, _inputs, output: given.append(output.shape[1])
    )
    ids = prompt()
    text = model.generate(ids, max_new_tokens=8, do_sample=False, **options)
    hook.remove()
    return list(text[0, ids.shape[1] :].tolist()), given


def prompt() -> Any:
    """Return a prompt of 16 tokens."""
    return torch.arange(1, 17).view(1, 16)
