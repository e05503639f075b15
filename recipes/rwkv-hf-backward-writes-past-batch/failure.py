"""One training step of a VLM whose projector is transformers' RWKV-4: features, RWKV, LLM."""

from __future__ import annotations

import torch
from transformers import LlamaConfig, LlamaForCausalLM, RwkvConfig, RwkvModel

TOKENS, WIDTH = 6, 32


def train(
    samples: int = 2,
    *,
    tiles: int = 1,
    micro_batch: int = 0,
    freeze_llm: bool = False,
    dtype: str = "float32",
    device: str = "cpu",
) -> tuple[RwkvModel, LlamaForCausalLM]:
    """Run forward and backward once over a batch.

    Args:
        samples: Images in the batch.
        tiles: Pieces an image is cut into; the projector sees each as a row of its batch.
        micro_batch: Images per backward pass; by default all of them.
        freeze_llm: Train the projector alone, as in a first stage.
        dtype: Precision of weights and activations.
        device: Where to compute.

    Returns:
        The projector, with its gradients, and the LLM.
    """
    torch.manual_seed(0)
    shape = {"vocab_size": 16, "hidden_size": WIDTH, "num_hidden_layers": 2}
    projector = RwkvModel(RwkvConfig(context_length=TOKENS, **shape))
    llm = LlamaForCausalLM(LlamaConfig(intermediate_size=64, num_attention_heads=2, **shape))
    images = torch.randn(samples, tiles, TOKENS, WIDTH)

    projector = projector.to(device, getattr(torch, dtype)).train()
    llm = llm.to(device, getattr(torch, dtype)).train().requires_grad_(not freeze_llm)
    for batch in images.to(device, getattr(torch, dtype)).split(micro_batch or samples):
        rows = projector(inputs_embeds=batch.flatten(0, 1)).last_hidden_state
        tokens = rows.reshape(len(batch), tiles * TOKENS, WIDTH)
        labels = torch.arange(tiles * TOKENS, device=device).expand(len(batch), -1) % 16
        loss = llm(inputs_embeds=tokens, labels=labels).loss
        (loss * len(batch) / samples).backward()
    return projector, llm
