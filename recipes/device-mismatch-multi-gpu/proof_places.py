"""The scorer with torch's fake tensors of GPUs, the page's lines, and where tensors are listed."""

from __future__ import annotations

from typing import Any

import torch
import transformers as hf
from failure import Scorer
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from fixbook.recipe import snippet


def as_buffer(self: Any, scale: torch.Tensor) -> None:
    """Run the page's line."""
    snippet("buffer", self=self, scale=scale)


def where_the_input_is(x: torch.Tensor) -> Any:
    """Run the page's line."""
    return snippet("make-there", n=4, x=x, torch=torch)["positions"]


def followed(self: Any, hidden: torch.Tensor, labels: torch.Tensor) -> Any:
    """Run the page's lines."""
    return snippet("follow", self=self, hidden=hidden, labels=labels)["chosen"]


def head_followed(self: Any, hidden: torch.Tensor, labels: torch.Tensor) -> Any:
    """Bring the head its input, and leave the labels where they are."""
    return self.head(hidden.to(self.head.weight.device)).gather(-1, labels)


def moved(model: nn.Module, batch: Any) -> Any:
    """Run the page's lines."""
    return snippet("move", model=model, batch=batch)["batch"]


def put(model: nn.Module, head: str) -> None:
    """Give a model fake parameters and buffers of a GPU, the head's perhaps of another one."""
    for path, module in model.named_modules():
        place = head if path == "head" else "cuda:0"
        for name, value in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(torch.empty(value.shape, device=place)))
        for name, value in list(module.named_buffers(recurse=False)):
            setattr(module, name, torch.empty(value.shape, device=place))


def score(
    *, batch_on: str = "cuda:0", move: Any = None, head_on: str = "cuda:0", keep: Any = as_buffer,
    positions: Any = where_the_input_is, head: Any = None,
) -> dict[str, str]:  # fmt: skip
    """Score with parameters, buffers and a batch that torch takes for tensors of GPUs."""
    model = Scorer(keep)
    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
        put(model, head_on)
        labels = torch.zeros(3, 1, dtype=torch.long, device=batch_on)
        batch: Any = {"x": torch.empty(3, 4, device=batch_on), "labels": labels}
        batch = move(model, batch) if move else batch
        return {"device": str(model(**batch, positions=positions, head=head).device)}


def listed(keep: Any = as_buffer, *, batch_on: str = "meta", move: Any = None) -> dict[str, Any]:
    """List devices as the page does, of a model that was moved, and of its batch."""
    model = Scorer(keep).to("meta")
    batch: Any = {"x": torch.empty(3, 4, device=batch_on)}
    places = ask(model, move(model, batch) if move else batch)
    behind = places.get("cpu", [])
    return {"found": len(places) > 1, "behind": behind, "saved": "scale" in model.state_dict()}


def ask(model: nn.Module, batch: Any) -> dict[str, list[str]]:
    """Run the page's lines."""
    places: dict[str, list[str]] = snippet("devices", model=model, batch=batch)["places"]
    return places


def listed_of_stock_models() -> dict[str, Any]:
    """List devices of models as the library builds them, once they were moved."""
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "vocab_size": 64}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 8}
    models: list[Any] = [
        hf.LlamaForCausalLM(hf.LlamaConfig(**size, **heads)),
        hf.Gemma2ForCausalLM(hf.Gemma2Config(**size, **heads)),
        hf.BertModel(hf.BertConfig(**size, num_attention_heads=4)),
        hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=32, n_layer=1, n_head=4, vocab_size=64)),
    ]
    apart = [type(model).__name__ for model in models if len(ask(model.to("meta"), {})) != 1]
    return {"found": bool(apart), "apart": apart, "models": len(models)}
