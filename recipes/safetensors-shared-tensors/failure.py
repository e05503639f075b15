"""Models whose names share one tensor, and the ways to save them."""

from __future__ import annotations

from typing import Any

from safetensors.torch import load_model, save_file, save_model
from transformers import LlamaForCausalLM

from fixbook.recipe.helpers import tiny_llama

DOWN = "mlp.down_proj.weight"
FILE = "model.safetensors"


class Declared(LlamaForCausalLM):  # type: ignore[no-untyped-call]
    """A Llama whose second layer uses the first one's weight, and that says so."""

    _tied_weights_keys = {  # noqa: RUF012 - a plain dict, as transformers has it
        "lm_head.weight": "model.embed_tokens.weight",
        f"model.layers.1.{DOWN}": f"model.layers.0.{DOWN}",
    }


def tied() -> Any:
    """Return a model whose head is its embedding, as the configuration says."""
    return tiny_llama(tie_word_embeddings=True)


def tied_by_hand(*, said: bool) -> Any:
    """Return a model whose head was set to its embedding; ``said`` tells the configuration."""
    model = tiny_llama()
    model.lm_head.weight = model.model.embed_tokens.weight
    model.config.tie_word_embeddings = said
    return model


def shared(*, declared: bool = False) -> Any:
    """Return a model with one weight in two layers, which its class declares or does not."""
    model = Declared(tied().config) if declared else tied()
    first, second = model.model.layers
    second.mlp.down_proj.weight = first.mlp.down_proj.weight
    return model


def saved(model: Any, how: str) -> Any:
    """Save in one of several ways, and return a model loaded from the file."""
    if how == "save_pretrained":
        model.save_pretrained("saved")
        return LlamaForCausalLM.from_pretrained("saved")
    if how == "save_model":
        save_model(model, FILE)
    elif how == "contiguous":
        save_file({name: t.detach().contiguous() for name, t in model.state_dict().items()}, FILE)
    else:
        save_file(model.state_dict(), FILE)
    loaded = tiny_llama(seed=1, tie_word_embeddings=True)
    load_model(loaded, FILE)
    return loaded
