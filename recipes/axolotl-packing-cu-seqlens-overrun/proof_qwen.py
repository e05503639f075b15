"""A tiny Qwen3.5: one text without packing, and documents that the page's collator flattens."""

from __future__ import annotations

import re
from typing import Any

import torch
from proof_look import flattened, guarded, run

from fixbook.recipe import measure, snippet


def model() -> torch.nn.Module:
    """A tiny Qwen3.5 with fixed random weights and flash attention."""
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5ForCausalLM

    layers = ["linear_attention", "full_attention"]
    torch.manual_seed(0)
    config = Qwen3_5TextConfig(
        vocab_size=16,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=len(layers),
        layer_types=layers,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        linear_num_value_heads=2,
        linear_num_key_heads=2,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
    )
    return Qwen3_5ForCausalLM._from_config(config, attn_implementation="flash_attention_2").eval()


def one_text() -> dict[str, Any]:
    """Run one short text: no packing, no mask, no padding; fail as the guard does."""
    kernel, mixed = guarded(), model()
    batch = {"input_ids": torch.tensor([[5, 9, 7, 3]])}
    measure(**run(kernel, mixed, batch))
    mixed(**batch)
    return {}


def documents_of_qwen3_5(*, boundaries: bool) -> dict[str, Any]:
    """Flatten documents, and find whether they see each other, or which package is asked for.

    Args:
        boundaries: Flatten with the boundaries that linear attention needs, not as the page does.
    """
    kernel = guarded()
    from failure import DOCUMENTS, FIRST, LAST
    from transformers import DataCollatorWithFlattening

    batch, mixed = flattened(), model()
    if boundaries:
        collate = DataCollatorWithFlattening(return_flash_attn_kwargs=True, return_seq_idx=True)
        batch = dict(collate([{"input_ids": tokens} for tokens in DOCUMENTS]))
    try:
        seen = run(kernel, mixed, batch)
    except ValueError as error:
        asked = re.search(r"can't keep packed sequences apart without `(.+?)`", str(error))
        if asked is None:
            raise
        return {"found": False, "needs": asked[1]}
    return seen | {"found": snippet("documents-meet")["documents_meet"](mixed, batch, FIRST, LAST)}
