"""Four programs in which two floating dtypes meet in one operator, and their fixes."""

from typing import Any

import torch
from torch.nn import Conv1d, Linear
from torch.nn.functional import cross_entropy, scaled_dot_product_attention


def prepare(model: Any, *, upcast: bool = True) -> Any:
    """Put a model into bf16, and its norms into fp32: as PEFT and TRL did for training."""
    model = model.to(torch.bfloat16)
    for name, module in model.named_modules():
        if upcast and "norm" in name:
            module.float()
    return model


def rope(x: Any, *, back: bool = False) -> Any:
    """Rotate by position, with tables in fp32; give the result the dtype it came in if ``back``."""
    half = x.shape[-1] // 2
    angle = torch.arange(x.shape[-2])[:, None] / 10000 ** (torch.arange(half) / half)
    cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)
    turned = x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin
    return turned.to(x.dtype) if back else turned


def attend(*, eager: bool = False, autocast: bool = False, **table: Any) -> Any:
    """Attend in bf16 with queries and keys that went through RoPE."""
    qkv = Linear(16, 48, bias=False, dtype=torch.bfloat16)
    x = torch.randn(1, 6, 16, dtype=torch.bfloat16)
    with torch.autocast(x.device.type, torch.bfloat16, enabled=autocast):
        q, k, v = qkv(x).view(1, 6, 6, 8).transpose(1, 2).chunk(3, 1)
        q, k = rope(q, **table), rope(k, **table)
        if eager:
            return (q @ k.mT / 8**0.5).softmax(-1) @ v
        return scaled_dot_product_attention(q, k, v)


def encode(features: Any, *, autocast: bool = False) -> Any:
    """Apply the first layer of an encoder, a convolution in bf16."""
    with torch.autocast(features.device.type, torch.bfloat16, enabled=autocast):
        return Conv1d(8, 16, 3, dtype=torch.bfloat16)(features)


def train(model: Any, head: Any, *, autocast: bool = False) -> list[float]:
    """Train a new head on a frozen model."""
    model = model.requires_grad_(requires_grad=False)
    optimizer, losses = torch.optim.AdamW(head.parameters(), lr=1e-4, weight_decay=0), []
    ids, labels = torch.randint(4, 128, (16, 8)), torch.randint(8, (16,))
    for _ in range(20):
        with torch.autocast(ids.device.type, model.dtype, enabled=autocast):
            hidden = model.model(ids).last_hidden_state[:, -1]
            loss = cross_entropy(head(hidden).float(), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses
