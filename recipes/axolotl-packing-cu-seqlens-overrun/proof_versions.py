"""The releases of transformers where it begins and ends, and Qwen3.5, which needs no packing."""

from __future__ import annotations

from typing import Any

import torch
from proof_look import guarded, look, run

from fixbook.recipe import detect, fix

_HUB = ("tokenizers==0.22.2", "huggingface_hub==1.17.0", "httpx==0.28.1", "httpcore==1.0.9")


def qwen3_5() -> dict[str, Any]:
    """Run one short text through a tiny Qwen3.5: no packing, no mask, no padding."""
    kernel = guarded()
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5ForCausalLM

    config = Qwen3_5TextConfig(
        vocab_size=16,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        layer_types=["linear_attention", "full_attention"],
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        linear_num_value_heads=2,
        linear_num_key_heads=2,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
    )
    attention = {"attn_implementation": "flash_attention_2"}
    model = Qwen3_5ForCausalLM._from_config(config, **attention).eval()
    return run(kernel, model, {"input_ids": torch.tensor([[5, 9, 7, 3]])})


@detect(
    found=False,
    control="summed-mask",
    versions=("transformers==4.53.0", "tokenizers==0.21.1", "huggingface_hub==0.30.2"),
)
def summed_mask_on_4_53() -> dict[str, Any]:
    """The first release that casts the mask to booleans: the overrun ends, the leak begins."""
    return look(pack="numbered")


@detect(found=True, versions=("transformers==5.2.0", *_HUB))
def qwen3_5_on_5_2() -> dict[str, Any]:
    """The first release with Qwen3.5."""
    return qwen3_5()


@detect(found=True, versions=("transformers==5.3.0", *_HUB))
def qwen3_5_on_5_3() -> dict[str, Any]:
    """The last one whose Qwen3.5 hands on position_ids of three dimensions."""
    return qwen3_5()


@fix("upgrade-transformers", control="qwen3-5-on-5-3", versions=("transformers==5.4.0", *_HUB))
def qwen3_5_on_5_4() -> dict[str, Any]:
    """The first release that does not."""
    return qwen3_5()
