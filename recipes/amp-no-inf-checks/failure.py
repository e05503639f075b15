"""A loop with a GradScaler, and what leaves its optimizer without gradients."""

from __future__ import annotations

from typing import Any

import torch
from peft import PeftModel
from torch.amp import GradScaler
from torch.utils.checkpoint import checkpoint
from transformers import set_seed

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora

TEXTS = torch.arange(16).reshape(2, 8) + 4


def late() -> Any:
    """Attach the adapter, then make the optimizer as the page does."""
    model = tiny_lora(tiny_llama())
    return model, snippet("optimizer", model=model)["optimizer"]


def early(**options: Any) -> Any:
    """Make the optimizer before the adapter, which freezes what it holds."""
    model = tiny_llama()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, **options)
    return tiny_lora(model), optimizer


def early_and_fused() -> Any:
    """Do the same with a fused optimizer, which looks for infinities itself."""
    return early(fused=True)


def saved() -> Any:
    """Save an adapter, and return a base model that is ready for checkpointing."""
    tiny_lora(tiny_llama()).save_pretrained("adapter")
    base = tiny_llama()
    base.enable_input_require_grads()
    return base


def to_infer() -> Any:
    """Load the adapter as PEFT does by default."""
    model = PeftModel.from_pretrained(saved(), "adapter")
    return model, torch.optim.AdamW(model.parameters(), lr=1e-3)


def to_train() -> Any:
    """Load it as the page does."""
    model = snippet("trainable", base=saved())["model"]
    return model, torch.optim.AdamW(model.parameters(), lr=1e-3)


class WithTower(torch.nn.Module):
    """A frozen language model behind a vision tower that trains in a checkpoint."""

    def __init__(self, *, reentrant: bool) -> None:
        """Make both; embeddings have gradients, as checkpointing asks of them."""
        super().__init__()
        self.model, self.reentrant = tiny_llama().requires_grad_(requires_grad=False), reentrant
        self.model.enable_input_require_grads()
        embeddings = self.model.get_input_embeddings()
        self.embeddings, self.tower = embeddings, torch.nn.Linear(4, embeddings.embedding_dim)

    def forward(self, input_ids: torch.Tensor, labels: torch.Tensor) -> Any:
        """Add what the tower sees to the text."""
        pictures = torch.ones(1, 1, 4)
        seen = checkpoint(self.tower, pictures, use_reentrant=self.reentrant)
        return self.model(inputs_embeds=self.embeddings(input_ids) + seen, labels=labels)


def tower(*, reentrant: bool = True) -> Any:
    """Let the tower alone train."""
    model = WithTower(reentrant=reentrant)
    return model, torch.optim.AdamW(model.tower.parameters(), lr=1e-3)


def losses(model: Any) -> list[torch.Tensor]:
    """Return a loss for each text."""
    return [model(input_ids=text[None], labels=text[None]).loss for text in TEXTS]


def in_graph(model: Any) -> torch.Tensor:
    """Put them together as the page does."""
    loss: torch.Tensor = snippet("graph", parts=losses(model))["loss"]
    return loss


def by_numbers(model: Any) -> torch.Tensor:
    """Put them together by their values."""
    return torch.tensor([one.item() for one in losses(model)], requires_grad=True).mean()


def in_order(optimizer: Any, scaler: Any, loss: Any) -> None:
    """Do what the page does."""
    snippet("order", optimizer=optimizer, scaler=scaler, loss=loss)


def cleared(optimizer: Any, scaler: Any, loss: Any) -> None:
    """Clear gradients between backward and step."""
    scaler.scale(loss).backward()
    optimizer.zero_grad()
    scaler.step(optimizer)
    scaler.update()


def without_step(_optimizer: Any, scaler: Any, loss: Any) -> None:
    """Update the scale, and forget the step."""
    scaler.scale(loss).backward()
    scaler.update()


def flat() -> Any:
    """Let one long parameter hold the weights and the gradients of all, as some trainers do."""
    model = tiny_lora(tiny_llama())
    trained = [one for one in model.parameters() if one.requires_grad]
    whole = torch.nn.Parameter(torch.cat([one.detach().flatten() for one in trained]))
    whole.grad = torch.zeros_like(whole)
    sizes = [one.numel() for one in trained]
    parts = zip(trained, whole.data.split(sizes), whole.grad.split(sizes), strict=True)
    for one, weights, gradients in parts:
        one.data, one.grad = weights.view_as(one), gradients.view_as(one)
    return model, torch.optim.AdamW([whole], lr=1e-3)


def kept(optimizer: Any, scaler: Any, loss: Any) -> None:
    """Do what the page does where the gradients have to stay in their place."""
    snippet("zeros", optimizer=optimizer)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def beside(optimizer: Any) -> list[Any]:
    """Return it, and another one for a head that this loss does not use."""
    return [optimizer, torch.optim.AdamW(torch.nn.Linear(4, 4).parameters(), lr=1e-3)]


def each(optimizer: Any, scaler: Any, loss: Any) -> None:
    """Step both optimizers, whatever the loss has used."""
    scaler.scale(loss).backward()
    for one in beside(optimizer):
        scaler.step(one)
    scaler.update()


def those_with_gradients(optimizer: Any, scaler: Any, loss: Any) -> None:
    """Step them as the page does."""
    scaler.scale(loss).backward()
    snippet("each", optimizers=beside(optimizer), scaler=scaler)


class Unchecked(GradScaler):
    """A GradScaler whose assertion was taken out of its step."""

    def step(self, optimizer: torch.optim.Optimizer, *_: Any, **__: Any) -> Any:
        """Unscale and step, whether anything was found or not."""
        self.unscale_(optimizer)
        measure(checks=len(self._found_inf_per_device(optimizer)))
        return optimizer.step()


def train(
    make: Any = late, loss_of: Any = in_graph, act: Any = in_order, scaler: Any = GradScaler
) -> dict[str, Any]:
    """Take one step; count the parameters that moved."""
    set_seed(0)
    model, optimizer = make()
    before = [one.detach().clone() for one in model.parameters()]
    loss = loss_of(model)
    act(optimizer, scaler("cpu", init_scale=8.0), loss)
    after = zip(before, model.parameters(), strict=True)
    return {"moved": sum(not torch.equal(old, new) for old, new in after)}


def look(make: Any = late, loss_of: Any = in_graph) -> dict[str, Any]:
    """Look, as the page does, between backward and step."""
    set_seed(0)
    model, optimizer = make()
    loss = loss_of(model)
    loss.backward()
    seen = snippet("look", model=model, optimizer=optimizer)
    return {
        "found": seen["own"] == 0,
        **{name: seen[name] for name in ("own", "others", "trainable")},
    }
