"""What is measured of a model that was read: how far its loss is off, and what did not fit."""

from __future__ import annotations

import shutil
from typing import Any

import failure
import torch
from failure import edit_config, load_adapter, lora, quantize, read, train
from transformers import AutoModelForCausalLM, Gemma2Config, GPT2Config, Qwen2Config

from fixbook.recipe import device, snippet
from fixbook.recipe.helpers import tiny_llama


def trained() -> float:
    """Train a model 64 wide with 2 heads of keys, save it in "trained", and return its loss."""
    model = train(tiny_llama(hidden_size=64).to(device()))
    model.save_pretrained("trained")
    return loss_of(model)


def loss_of(model: Any) -> float:
    """Return the loss on what was trained."""
    with torch.no_grad():
        return float(failure.loss_of(model.eval()))


def model_with(*, ignore: bool = False, copied: bool = False, **edits: Any) -> dict[str, Any]:
    """Read the model after ``edits`` to its config.json; ``copied``: and after copying its own."""
    known = trained()
    shutil.copytree("trained", "output")
    edit_config("trained", **edits)
    if copied:
        snippet("own-config")
    model = read("trained", ignore=ignore)
    problems = snippet("report", folder="trained")["problems"]
    heads = model.config.num_key_value_heads
    return {
        "found": any(problems.values()),
        "heads": heads,
        "off_by": abs(loss_of(model) - known),
    }


def four_bit(*, put_back: bool = False, **edits: Any) -> dict[str, Any]:
    """Save the model in 4 bits, and read it after ``edits`` to its config.json."""
    known = trained()
    quantize("trained", "four")
    edit_config("four", **edits)
    if put_back:
        snippet("quantization", folder="four")
    return {"off_by": abs(loss_of(read("four")) - known)}


def adapter_on(base: str, *, as_printed: bool = False) -> dict[str, Any]:
    """Train an adapter on "trained", and put it on a base; ``as_printed``: on the one it names."""
    trained()
    tiny_llama(hidden_size=128).save_pretrained("wider")
    tiny_llama(hidden_size=64, seed=1).save_pretrained("sister")
    model = train(lora(read("trained")))
    model.save_pretrained("adapter")
    if as_printed:
        put_on = snippet("own-base")
        return {
            "found": False,
            "off_by": abs(loss_of(put_on["model"].to(device())) - loss_of(model)),
        }
    name = snippet("its-base")["name"]
    off_by = abs(loss_of(load_adapter(base, "adapter")) - loss_of(model))
    return {"found": name != base, "off_by": off_by}


def report(**edits: Any) -> dict[str, Any]:
    """Ask from_pretrained what did not fit."""
    trained()
    edit_config("trained", **edits)
    problems = snippet("report", folder="trained")["problems"]
    return {"found": any(problems.values()), "missing": len(problems["missing_keys"])}


def report_usual_models() -> dict[str, Any]:
    """Ask the same of folders as usual models are saved."""
    shape: dict[str, Any] = {"vocab_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    shape |= {"hidden_size": 32, "intermediate_size": 64, "num_key_value_heads": 2}
    configs = (
        GPT2Config(vocab_size=128, n_embd=32, n_layer=2, n_head=4),
        Qwen2Config(**shape, tie_word_embeddings=True),
        Gemma2Config(**shape, head_dim=8),
    )
    found = 0
    for config in configs:
        AutoModelForCausalLM.from_config(config).save_pretrained("usual")
        found += any(snippet("report", folder="usual")["problems"].values())
    return {"found": found > 0, "of": len(configs)}
