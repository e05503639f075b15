"""The models of the steps: the same weights on every rank, and stock models of a few families."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import torch
import transformers as hf
from failure import TINY, Encoder, average
from peft import LoraConfig, get_peft_model
from torch import Tensor, nn

from fixbook.recipe import device, measure, snippet

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY_DENSE = LoraConfig(target_modules=["query", "value", "dense"])
POOLER = "bert.pooler.dense.weight"
_SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
}


def encoder(**changes: Any) -> Encoder:
    """Return the same model on every rank."""
    torch.manual_seed(0)
    return Encoder(**changes).to(device())


def saved_bert() -> str:
    """Save the BERT of `encoder`, pooler and all, and return the folder, one for each rank."""
    folder = f"bert-{os.environ.get('RANK', '0')}"
    encoder().bert.save_pretrained(folder)
    return folder


def with_lora(config: LoraConfig = EVERY_DENSE) -> nn.Module:
    """Return the encoder with LoRA, by default on all its dense layers."""
    model: nn.Module = get_peft_model(encoder(), config)
    return model


def batches(rank: int) -> list[Tensor]:
    """Return three batches, other ones on each rank."""
    generator = torch.Generator().manual_seed(rank)
    return [torch.randint(64, (2, 8), generator=generator).to(device()) for _ in range(3)]


def watch_pooler(model: nn.Module) -> None:
    """Record the gradient of the pooler, if it ever gets one."""
    pooler = dict(model.named_parameters()).get(POOLER)
    if pooler is not None and pooler.requires_grad:
        pooler.register_hook(_note)


def _note(gradient: Tensor | None) -> None:
    if gradient is not None:
        measure(pooler_gradient=float(gradient.abs().max()))


def loss_of(model: nn.Module) -> Tensor:
    """Return the loss of a batch, without DDP."""
    return average(model(batches(0)[0])).square().mean()


def stock_losses() -> Iterator[tuple[nn.Module, Tensor]]:
    """Yield models as the libraries build them, each with the loss of a batch that it is for."""
    ids = batches(0)[0]
    kinds: list[tuple[Any, Tensor]] = [
        (hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=64, **_SIZES)), ids),
        (hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=64, n_embd=16, n_layer=1, n_head=2)), ids),
        (hf.BertForSequenceClassification(TINY), ids[:, 0] % 2),
        (hf.BertForMaskedLM(TINY), ids),
    ]
    for model, labels in kinds:
        model.to(device())
        yield model, model(input_ids=ids, labels=labels).loss


def text_alone() -> tuple[nn.Module, Tensor]:
    """Return a vision-language model, and its loss of a batch that has no image."""
    eyes = hf.CLIPVisionConfig(image_size=28, patch_size=14, projection_dim=16, **_SIZES)
    words = hf.LlamaConfig(vocab_size=64, **_SIZES)
    config = hf.LlavaConfig(vision_config=eyes, text_config=words, image_token_index=0)
    model: Any = hf.LlavaForConditionalGeneration(config).to(device())
    ids = batches(0)[0].clamp(min=1)
    return model, model(input_ids=ids, labels=ids).loss


def unused_by(model: nn.Module, loss: Tensor) -> list[str]:
    """List parameters without a gradient, as the page does."""
    unused: list[str] = snippet("list", model=model, loss=loss)["unused"]
    return unused
