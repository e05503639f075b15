"""Ask configurations for what a model needs, as scripts do and as the page says."""

from __future__ import annotations

from typing import Any

import failure
import torch
from failure import loss_of

from fixbook.recipe import measure, snippet


def made(kind: str) -> Any:
    """Return the small model of one kind, always the same."""
    torch.manual_seed(0)
    return getattr(failure, kind)()


def loss(kind: str, mend: str = "") -> dict[str, Any]:
    """Compute a loss by the vocab_size of the configuration, or by that of a snippet."""
    model = made(kind)
    size = snippet(mend, config=model.config)["size"] if mend else model.config.vocab_size
    return {"size": size, "loss": loss_of(model, size)}


def loss_by_hand() -> dict[str, Any]:
    """Write a vocab_size into the configuration first: the length of a tokenizer."""
    model = made("qwen")
    model.config.vocab_size = 60
    measure(written=model.config.vocab_size)
    return {"loss": loss_of(model, model.config.vocab_size)}


def theta(mend: str = "") -> dict[str, Any]:
    """Read the base of the rotary positions of a Llama."""
    config = made("llama").config
    return {"theta": snippet(mend, config=config)["theta"] if mend else config.rope_theta}


def theta_by_default() -> dict[str, Any]:
    """Read it with a default, and compare with the base by which the model turns."""
    model = made("llama")
    taken = getattr(model.config, "rope_theta", 10000.0)
    width = model.config.hidden_size // model.config.num_attention_heads
    own = float(model.model.rotary_emb.inv_freq[1]) ** (-width / 2)
    return {"found": abs(taken - own) > 1, "taken": taken, "own": own}


def cache(*, text: bool) -> dict[str, Any]:
    """Switch the cache off, in the whole configuration or in that of the text."""
    model = made("qwen").eval()
    (model.config.get_text_config() if text else model.config).use_cache = False
    kept = model(**failure.BATCH).past_key_values is not None
    return {"found": kept}


def asked(kind: str, mend: str = "") -> dict[str, Any]:
    """Ask where an attribute is, as the page does; of what a snippet takes in its place."""
    config = made(kind).config
    config = snippet(mend, config=config)["text"] if mend else config
    names = snippet("where", config=config)
    return {"found": names["nested"] and not names["here"], "text": type(names["text"]).__name__}
