"""The old way to read or make a cache and the new one, on releases that have both."""

from __future__ import annotations

from typing import Any

import torch
from transformers import DynamicCache


def filled() -> Any:
    """Make a cache of two layers, of three and of four tokens."""
    cache = DynamicCache()
    for layer in range(2):
        cache.update(torch.randn(1, 2, 3 + layer, 4), torch.randn(1, 2, 3 + layer, 4), layer)
    return cache


def same_length() -> bool:
    """Compare ``get_usable_length`` with ``get_seq_length``, layer by layer."""
    cache = filled()
    return [cache.get_usable_length(1, i) for i in range(2)] == [
        cache.get_seq_length(i) for i in range(2)
    ]


def same_tensors() -> bool:
    """Compare every old way to the tensors with ``layers``, and a cache made either way."""
    cache: Any = filled()
    kind: Any = DynamicCache
    past = cache.to_legacy_cache()
    old, new = kind.from_legacy_cache(past), DynamicCache()
    for i, (key, value) in enumerate(past):
        new.update(key, value, i)
    return all(
        torch.equal(key, layer.keys) and torch.equal(value, layer.values)
        for i, layer in enumerate(cache.layers)
        for key, value in [
            (cache.key_cache[i], cache.value_cache[i]),
            (cache[i][0], cache[i][1]),
            past[i],
            (old.layers[i].keys, old.layers[i].values),
            (new.layers[i].keys, new.layers[i].values),
        ]
    )
