"""What is right, where attention goes, and what the check of the page says; an older release."""

from __future__ import annotations

from typing import Any

import torch
from failure import SEEN, WHOLE, answer, llama

from fixbook.recipe import reproduce, snippet

OLD = ["transformers==4.52.4", "tokenizers==0.21.4", "huggingface_hub==0.36.0"]


def alone(model: Any, row: int) -> list[int]:
    """Return what the model answers to one row without its padding, and without a cache."""
    ids = WHOLE[row, SEEN[row].bool()][None]
    out = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=6, do_sample=False
    )
    return [int(token) for token in out[0, ids.shape[1] :]]


def off_by(logits: torch.Tensor) -> float:
    """Return how far the second document's logits are from those it has alone."""
    with torch.no_grad():
        wanted = llama()(input_ids=torch.tensor([[20, 21, 22, 23]])).logits
    return (logits[:, 3:7] - wanted).abs().max().item()


def attention_on_padding(**changes: Any) -> float:
    """Return how much of the last token's attention goes to padding in the second turn."""
    model = llama(attn_implementation="eager")
    seen: list[torch.Tensor] = []
    model.model.layers[0].self_attn.register_forward_hook(lambda *call: seen.append(call[2][1]))
    answer(model, **changes)
    return seen[1][0, :, -1, :3].sum(-1).max().item()  # [0] is the first turn


def said(run: Any, **changes: Any) -> dict[str, Any]:
    """Run it with the check of the page on the model."""
    model = llama()
    snippet("check-lengths", model=model)
    try:
        run(model, **changes)
    except ValueError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


@reproduce(versions=OLD, record_once="an older transformers beside the main one, imported anew")
def mask_of_the_last_turn_on_4_52() -> dict[str, Any]:
    """The mask itself does not fit there: dimension 3."""
    return {"answers": len(answer(llama()))}
