"""How far gradients are from the right ones, and what the page's watch says of a program."""

from __future__ import annotations

import traceback
from typing import Any

import torch
import torch.distributed as dist
from failure import adversarial, attention, two_forwards
from torch import Tensor, nn
from torch.nn.functional import softplus

from fixbook.recipe import backend, device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def masked(weights: Any, mask: Any) -> Any:
    """Mask attention weights as the page does."""
    return snippet("make-a-new-tensor", weights=weights, mask=mask)["weights"]


def copied(embeds: Any, images: Any, features: Any) -> Any:
    """Put features among embeddings as the page does."""
    named = {"embeds": embeds, "images": images, "features": features}
    return snippet("copy-the-leaf", **named)["embeds"]


def convolutions() -> nn.Module:
    """Return a critic of convolutions, for the samples that the other one gets."""
    layers = nn.Conv1d(3, 16, 1), nn.LeakyReLU(0.2), nn.Conv1d(16, 1, 1)
    return nn.Sequential(nn.Unflatten(1, (3, 1)), *layers, nn.Flatten())


def cloned(layer: Any) -> Any:
    """Take the buffer as the page does."""
    return snippet("clone-the-buffer", self=layer)["scale"]


def critic_first(generator: Any, critic: Any, optimizer: Any, fake: Any, real: Any) -> Any:
    """Train both as the page does, and return the gradients that were used."""
    used: list[Tensor] = []
    parameters = list(critic.parameters())
    optimizer.register_step_pre_hook(lambda *_: used.extend(p.grad.clone() for p in parameters))
    losses = {
        "critic_loss": lambda fake, real: (softplus(fake) + softplus(-real)).mean(),
        "generator_loss": lambda fake: softplus(-fake).mean(),
    }
    named = {"critic": critic, "optimizer": optimizer, "fake": fake, "real": real}
    snippet("forward-after-the-step", **named, **losses)
    return {"critic": used, "generator": [p.grad for p in generator.parameters()]}


def run(program: Any, *, only: bool = False, **changes: Any) -> Any:
    """Run a program, each loss for its own module alone if ``only``; measure what is in force."""

    def backward(loss: Tensor, of: Any, **options: Any) -> None:
        if isinstance(of, nn.Module):
            measure(inplace_layers=sum(getattr(layer, "inplace", False) for layer in of))
            options["inputs"] = list(of.parameters()) if only else None
        else:
            measure(made_by=type(of.grad_fn).__name__, version=of._version)
        loss.backward(**options)

    torch.manual_seed(0)
    return program(backward, **changes)


def apart(got: Any, right: Any) -> float:
    """Return how far a gradient is from the right one, as a share of that."""
    a, b = (torch.cat([t.flatten() for t in gradient]) for gradient in (got, right))
    return ((a - b).norm() / b.norm()).item()


def one(**changes: Any) -> dict[str, float]:
    """Compare the gradient with that of weights that are not changed in place."""
    right = run(attention, mask=lambda weights, mask: torch.where(mask, 0, weights))
    return {"off_by": apart([run(attention, **changes)], [right])}


def two(**changes: Any) -> dict[str, float]:
    """Compare both gradients: the generator's with those through the old and the new critic."""
    new, old = run(adversarial, train=critic_first), run(adversarial, step="last", only=True)
    got = run(adversarial, **changes)
    before, after = (apart(got["generator"], right["generator"]) for right in (old, new))
    return {"critic_off_by": apart(got["critic"], old["critic"]), "old": before, "new": after}


def look(call: Any, **changes: Any) -> dict[str, Any]:
    """Run a program under the page's watch."""
    watch = snippet("watch")["NameTheChange"]
    try:
        with watch():
            call(**changes)
    except RuntimeError as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame.line for frame in frames if frame.filename.endswith("failure.py")]
        return {"found": True, "changed": own[-1], "saved": str(error).rsplit(": ", 1)[1]}
    return {"found": False}


def look_at_sound_steps() -> dict[str, Any]:
    """Watch two steps each of a Llama, of one with checkpointing, and of a net with BatchNorm."""
    torch.manual_seed(0)
    ids = torch.randint(4, 128, (2, 8), device=device())
    watch = snippet("watch")["NameTheChange"]
    plain, saving = tiny_llama().to(device()), tiny_llama().to(device())
    saving.train().gradient_checkpointing_enable()
    norm = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Dropout())
    norm.to(device())
    found = 0
    for model in (plain.train(), saving, norm):
        optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
        try:
            with watch():
                for _ in range(2):
                    _loss(model, ids).backward()
                    optimizer.step()
                    optimizer.zero_grad()
        except RuntimeError:
            found += 1
    return {"found": found > 0, "models": 3}


def _loss(model: Any, ids: Tensor) -> Any:
    if isinstance(model, nn.Sequential):  # two forwards before a backward
        return sum(model(torch.randn(8, 4, device=ids.device)).pow(2).mean() for _ in range(2))
    return model(input_ids=ids, labels=ids).loss


def broadcast(**layer: Any) -> dict[str, Any]:
    """Compare the gradient of two forwards with that of cloned buffers, and look."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    off_by = apart(_under_ddp(**layer), _under_ddp(take=lambda layer: layer.scale.clone()))
    return {"off_by": off_by} | look(_under_ddp, **layer)


def _under_ddp(**layer: Any) -> Any:
    torch.manual_seed(dist.get_rank())
    return two_forwards(**layer)
