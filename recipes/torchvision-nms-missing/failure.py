"""Code that imports torchvision, or a text model of transformers, which imports it too."""

from __future__ import annotations

import importlib
from typing import Any

import torch

NMS = "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
BOXES = [[0.0, 0.0, 10.0, 10.0], [1.0, 1.0, 10.0, 10.0], [20.0, 20.0, 30.0, 30.0]]


def use_torchvision(*, define_nms: bool = False) -> list[int]:
    """Import torchvision, and drop the second of three boxes, which covers the first."""
    if define_nms:
        make: Any = torch.library.Library
        library = make("torchvision", "DEF")
        library.define(NMS)
    torchvision = importlib.import_module("torchvision")
    kept: list[int] = torchvision.ops.nms(
        torch.tensor(BOXES), torch.tensor([0.9, 0.8, 0.7]), 0.5
    ).tolist()
    return kept


def text_model() -> Any:
    """Make a model that has nothing to do with images."""
    llama: Any = importlib.import_module("transformers").LlamaForCausalLM
    sizes = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1}
    return llama(llama.config_class(num_attention_heads=2, **sizes))
