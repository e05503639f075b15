"""The releases of transformers where it begins and ends, and Qwen3.5, with packing and without."""

from __future__ import annotations

from typing import Any

import torch
from proof_look import guarded, look, meet, run

from fixbook.recipe import detect, fix, snippet

_CAST = ("transformers==4.53.0", "tokenizers==0.21.1", "huggingface_hub==0.30.2")
_HUB = ("tokenizers==0.22.2", "huggingface_hub==1.17.0", "httpx==0.28.1", "httpcore==1.0.9")


def model(*layers: str) -> torch.nn.Module:
    """A tiny Qwen3.5 with fixed random weights and flash attention."""
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5ForCausalLM

    torch.manual_seed(0)
    config = Qwen3_5TextConfig(
        vocab_size=16,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=len(layers),
        layer_types=list(layers),
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        linear_num_value_heads=2,
        linear_num_key_heads=2,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
    )
    return Qwen3_5ForCausalLM._from_config(config, attn_implementation="flash_attention_2").eval()


def qwen3_5() -> dict[str, Any]:
    """Run one short text through Qwen3.5: no packing, no mask, no padding."""
    kernel = guarded()
    batch = {"input_ids": torch.tensor([[5, 9, 7, 3]])}
    return run(kernel, model("linear_attention", "full_attention"), batch)


def flattened(*, first_layer: str) -> dict[str, Any]:
    """Flatten documents as the page does, and find whether they see each other in Qwen3.5."""
    kernel = guarded()
    from failure import DOCUMENTS, FIRST, LAST

    batch = dict(snippet("flatten", documents=DOCUMENTS)["batch"])
    mixed = model(first_layer, "full_attention")
    seen = run(kernel, mixed, batch)
    return seen | {"found": snippet("documents-meet")["documents_meet"](mixed, batch, FIRST, LAST)}


@detect(found=False, control="summed-mask", versions=_CAST)
def summed_mask_on_4_53() -> dict[str, Any]:
    """The first release that casts the mask to booleans: the overrun ends."""
    return look(pack="numbered")


@detect(found=True, versions=_CAST)
def documents_meet_on_4_53() -> dict[str, Any]:
    """On the same release the leak begins."""
    return meet(pack="numbered")


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


@detect(found=True)
def qwen3_5_flattened() -> dict[str, Any]:
    """The page's collator and current transformers: a layer of linear attention mixes documents."""
    return flattened(first_layer="linear_attention")


@detect(found=False, control="qwen3-5-flattened")
def qwen3_5_without_linear_attention() -> dict[str, Any]:
    """The same model with layers of full attention alone keeps them apart."""
    return flattened(first_layer="full_attention")
