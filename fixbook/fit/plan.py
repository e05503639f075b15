"""What one prediction is about: a model, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Precision = Literal["float32", "bfloat16", "float16"]
Quantized = Literal["", "nf4", "int8"]
Checkpointing = Literal["", "reentrant", "non-reentrant"]
Optimizer = Literal[
    "adamw", "adamw-fused", "adamw-for-loop", "adamw-8bit", "adamw-paged", "adamw-8bit-paged", "sgd"
]
Attention = Literal["flash", "efficient", "eager"]
Loss = Literal["whole", "chunked"]

ALL_LINEAR = "all-linear"


@dataclass(frozen=True, slots=True)
class Adapter:
    """LoRA.

    Attributes:
        rank: Its rank.
        targets: Names of the modules that get it, or `ALL_LINEAR`; else PEFT chooses.
        dora: True for DoRA.
        saved: Modules that are trained whole beside it.
        precision: Of its weights; PEFT takes float32 unless it is told otherwise.
    """

    rank: int = 8
    targets: tuple[str, ...] = (ALL_LINEAR,)
    dora: bool = False
    saved: tuple[str, ...] = ()
    precision: Precision = "float32"


@dataclass(frozen=True, slots=True)
class Plan:
    """A training step on one card.

    Attributes:
        model: The content of the model's ``config.json``; two plans of one model are compared.
        batch: Sequences in a step on this card.
        length: Tokens of the longest of them.
        weights: Of the model as it is trained.
        autocast: What mixed precision computes in; empty without.
        quantized: How the frozen weights are kept.
        double_quantized: True if the scales of 4-bit weights are quantized, too.
        prepared: True if what is not quantized was turned to float32, as
            ``prepare_model_for_kbit_training`` does.
        adapter: None if all weights are trained.
        checkpointing: Which form of gradient checkpointing, if any.
        optimizer: The optimizer.
        attention: The operator that CUDA takes.
        padded: True if sequences of a batch differ in length, which takes a mask.
        loss: Whether logits of all tokens exist at once.
        keeps_outputs: True if the logits are held until the step has ended.
        accumulates: True if gradients are there when a forward pass begins.
        clips: True if gradients are clipped by their norm.
    """

    model: Mapping[str, Any] = field(repr=False, compare=False)
    batch: int = 1
    length: int = 1024
    weights: Precision = "bfloat16"
    autocast: Literal["", "bfloat16", "float16"] = ""
    quantized: Quantized = ""
    double_quantized: bool = False
    prepared: bool = True
    adapter: Adapter | None = None
    checkpointing: Checkpointing = ""
    optimizer: Optimizer = "adamw"
    attention: Attention = "flash"
    padded: bool = False
    loss: Loss = "whole"
    keeps_outputs: bool = False
    accumulates: bool = False
    clips: bool = True
