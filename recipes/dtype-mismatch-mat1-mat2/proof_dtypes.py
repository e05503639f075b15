"""What is measured of dtypes, and what the page's watch says of programs."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import isfinite
from typing import Any

import torch
from failure import attend, encode, prepare, train
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
)

from fixbook.recipe import device, snippet
from fixbook.recipe.helpers import tiny_llama

SIZES: dict[str, int] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def decode(*, upcast: bool = True, autocast: bool = False, inner: bool = True) -> dict[str, int]:
    """Prepare a model, and generate two tokens; its forward may turn autocast off."""
    model = prepare(tiny_llama(), upcast=upcast).to(device())
    if not inner:
        off = torch.autocast(model.device.type, enabled=False)
        model.forward = off(model.forward)
    return _generate(model, autocast=autocast)


def _generate(model: Any, *, autocast: bool = False) -> dict[str, int]:
    ids = torch.arange(4, 12, device=model.device).view(1, 8)
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    model.generation_config.max_new_tokens = 2
    if autocast:
        output = snippet("autocast", model=model, inputs=inputs)["output"]
    else:
        output = model.generate(**inputs)
    return {"tokens": output.shape[1]}


def attention(**changes: Any) -> dict[str, str]:
    """Attend, and say in what the result is."""
    with torch.device(device()):
        return {"dtype": str(attend(**changes).dtype)}


def convolve(*, autocast: bool = False, cast: bool = False, double: bool = False) -> dict[str, str]:
    """Give a convolution in bf16 features in fp32, cast before if ``cast``."""
    with torch.device(device()):
        features = torch.randn(1, 8, 20, dtype=torch.float64 if double else torch.float32)
        features = features.bfloat16() if cast else features
        return {"dtype": str(encode(features, autocast=autocast).dtype)}


def fit(
    *, dtype: torch.dtype = torch.bfloat16, cast: bool = False, autocast: bool = False
) -> dict[str, Any]:
    """Train a head in fp32, or cast to the model's dtype; say what moved and how the loss fell."""
    torch.manual_seed(0)
    with torch.device(device()):
        model, head = tiny_llama().to(dtype), torch.nn.Linear(32, 8)
        head = head.to(dtype) if cast else head
        start = head.weight.detach().float().clone()
        losses = train(model, head, autocast=autocast)
    return {
        "head": str(head.weight.dtype),
        "moved": (head.weight.detach().float() != start).float().mean().item(),
        "finite_losses": sum(isfinite(loss) for loss in losses),
        "fell": losses[0] - losses[-1] if isfinite(losses[-1]) else 0.0,
    }


def _kept(model: Any) -> int:
    """Return the bytes that a forward under autocast keeps for backward."""
    ids = torch.arange(4, 68, device=model.device).view(1, 64)
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    sizes = dict[int, int]()

    def pack(tensor: Any) -> Any:
        sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
    with hooks, torch.autocast(model.device.type, torch.bfloat16):
        loss = model(ids, labels=ids).loss
    del loss
    return sum(size for at, size in sizes.items() if at not in weights)


def _watched(program: Any) -> dict[str, Any]:
    """Run a program, up to its error, under the page's watch."""
    watch = snippet("watch")["WhereDtypesMeet"]()
    with suppress(RuntimeError), watch:
        program()
    line = watch.lines[0].split(": ", 1)[1] if watch.lines else ""
    return {"found": bool(watch.lines), "line": line}


def look_at_weights(*, upcast: bool = True, autocast: bool = False) -> dict[str, Any]:
    """Look at a forward, and weigh what it keeps under autocast."""
    model = prepare(tiny_llama(), upcast=upcast).to(device())
    return _watched(partial(_generate, model, autocast=autocast)) | {"kept": _kept(model)}


def look_in() -> dict[str, Any]:
    """Look at attention whose tables are fp32."""
    with torch.device(device()):
        return _watched(attend)


def look_at_usual() -> dict[str, Any]:
    """Look at a step of stock models, as they are and under autocast."""
    models: list[Any] = [
        GPT2LMHeadModel(GPT2Config(**SIZES)),
        BertForMaskedLM(BertConfig(**SIZES, intermediate_size=64)),
        T5ForConditionalGeneration(T5Config(**SIZES, decoder_start_token_id=0)),
    ]
    watch, losses = snippet("watch")["WhereDtypesMeet"](), []
    for model in models:
        ids = torch.arange(4, 12, device=device()).view(1, 8)
        for enabled in (False, True):
            with watch, torch.autocast(ids.device.type, torch.bfloat16, enabled=enabled):
                loss = model.to(device())(input_ids=ids, labels=ids).loss
            loss.backward()
            losses.append(loss.item())
    return {"found": bool(watch.lines), "steps": sum(isfinite(loss) for loss in losses)}
