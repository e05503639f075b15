"""How many words of a model in training are those of the model at rest, and what the page sees."""

from __future__ import annotations

import tempfile
from typing import Any

import transformers
from failure import OPTIONS, as_it_stands, in_training, model_of, prompt, train

from fixbook.recipe import measure, snippet

KEPT = {"gradient_checkpointing_kwargs": {"use_reentrant": False}}


def by_the_page(name: str) -> Any:
    """Return a way to generate: the page's lines of that name."""

    def generate(model: Any) -> Any:
        given = {"model": model, "inputs": prompt(), "options": OPTIONS}
        return snippet(name, **given)["output"]

    return generate


def looked(model: Any, page: str) -> bool:
    """Ask the page's check, in the state in which the page's lines generate."""
    mode = model.training
    if page == "eval-mode":
        model.eval()
    elif page == "off":
        model.gradient_checkpointing_disable()
    lost = bool(snippet("look", model=model, inputs=prompt())["lost"])
    if page == "off":
        in_training(model, **KEPT)
    model.train(mode)
    return lost


def compared(model: Any, page: str) -> dict[str, Any]:
    """Generate as it stands or by the page's lines, look, and generate at rest."""
    got = (by_the_page(page) if page else as_it_stands)(model)
    mode = model.training
    seen: dict[str, Any] = {"training": mode}
    if page != "no-cache":  # the check asks for the cache
        seen["found"] = looked(model, page)
    wanted = as_it_stands(model.eval())
    model.train(mode)
    size = min(got.shape[1], wanted.shape[1])
    new = slice(size - OPTIONS["max_new_tokens"], size)
    same = (got[:, new] == wanted[:, new]).float().mean().item()
    return seen | {"same_words": same}


def written(
    kind: str = "llama",
    page: str = "",
    *,
    config: bool = False,
    dropout: float = 0.0,
    reentrant: bool = False,
) -> dict[str, Any]:
    """Write on in the middle of a loop of one's own: as it stands, or by the page's lines."""
    checkpointing = {"gradient_checkpointing_kwargs": {"use_reentrant": reentrant}}
    model = in_training(model_of(kind, dropout=dropout), **checkpointing)
    if config:
        model.config.use_cache = False
    measure(
        reentrant=reentrant,
        config_uses_cache=model.config.use_cache,
        transformers=transformers.__version__,
    )
    return compared(model, page)


def sampled(page: str = "", when: str = "on_step_end") -> dict[str, Any]:
    """Write on in a callback of the Trainer."""
    seen: dict[str, Any] = {}

    def generate(model: Any) -> None:
        measure(config_uses_cache=model.config.use_cache)
        seen.update(compared(model, page))

    with tempfile.TemporaryDirectory() as folder:
        train(model_of(), generate, when, folder)
    return seen
