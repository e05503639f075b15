"""A small model that counts, and four ways to leave it nothing to sample from."""

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def counting(*, outliers: bool = False, nan: bool = False, dtype: Any = torch.float32) -> Any:
    """Return a Llama that has learnt to count.

    Args:
        outliers: Whether activations inside its MLP are large; it computes the same all the same.
        nan: Whether one row of the output layer was lost to NaN.
        dtype: What it is loaded in.
    """
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=64, num_hidden_layers=1, **size))
    texts = torch.stack([torch.arange(start, start + 16) for start in range(4, 24, 4)])
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(40):
        model(input_ids=texts, labels=texts).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    mlp = model.model.layers[0].mlp
    with torch.no_grad():
        if outliers:
            mlp.up_proj.weight *= 2.0**16
            mlp.down_proj.weight *= 2.0**-16
        if nan:
            model.lm_head.weight[5] = float("nan")
    return model.to(dtype)


def count_on(model: Any, **options: Any) -> dict[str, Any]:
    """Let it count on from 13, and see how many of eight numbers are right."""
    torch.manual_seed(0)
    prompt = torch.tensor([[10, 11, 12, 13]], device=model.device)
    options = {"do_sample": True, "max_new_tokens": 8, "pad_token_id": 0, **options}
    tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), **options)[0, 4:]
    wanted = torch.arange(14, 14 + len(tokens), device=model.device)
    return {"tokens": tokens.tolist(), "right": (tokens == wanted).sum().item()}


def sample(model: Any, *, temperature: float = 1e-4, soften: Any = None) -> dict[str, Any]:
    """Sample the number after 13 by hand."""
    logits = model(torch.tensor([[10, 11, 12, 13]])).logits[:, -1]
    soften = soften or (lambda logits, temperature: (logits / temperature).softmax(-1))
    probabilities = soften(logits, temperature)
    return {"right": int(torch.multinomial(probabilities, 1).item() == 14)}
