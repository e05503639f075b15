"""Models whose names share one tensor, and the ways to save them."""

from __future__ import annotations

from typing import Any

import torch
from safetensors.torch import save_file
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


class WithValueHead(torch.nn.Module):
    """A tied model in a module of one's own, as reward and PPO training have it."""

    def __init__(self, base: Any) -> None:
        super().__init__()
        self.base, self.value = base, torch.nn.Linear(32, 1)

    def forward(self, input_ids: Any, labels: Any) -> dict[str, Any]:
        """Return the loss of the tokens and of the values."""
        out = self.base(input_ids, labels=labels, output_hidden_states=True)
        return {"loss": out.loss + self.value(out.hidden_states[-1]).square().mean()}


def tie() -> Any:
    """Return a model whose head is its embedding, as the configuration says."""
    return tiny_llama(tie_word_embeddings=True)


def tie_by_hand(*, say: bool) -> Any:
    """Return a model whose head was set to its embedding; ``say`` tells the configuration."""
    model = tiny_llama()
    model.lm_head.weight = model.model.embed_tokens.weight
    model.config.tie_word_embeddings = say
    return model


def share(*, declare: bool = False) -> Any:
    """Return a model with one weight in two layers, which its class declares or does not."""
    model = Declared(tie().config) if declare else tie()
    first, second = model.model.layers
    second.mlp.down_proj.weight = first.mlp.down_proj.weight
    return model


def save(model: Any, how: str) -> None:
    """Save in one of several ways."""
    if how == "save_pretrained":
        model.save_pretrained("saved")
    elif how == "contiguous":
        save_file({name: t.detach().contiguous() for name, t in model.state_dict().items()}, FILE)
    else:
        save_file(model.state_dict(), FILE)
