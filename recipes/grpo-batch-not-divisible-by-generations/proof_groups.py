"""What is measured of a run: whether groups are whole, and how many of them teach nothing."""

from __future__ import annotations

from typing import Any

from failure import configure, trainer

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

HALF = {
    "per_device_train_batch_size": 2,
    "gradient_accumulation_steps": 2,
    "num_generations": 8,
}


def run(*, filled: bool = False, **settings: Any) -> dict[str, Any]:
    """Train eight steps with a reward of 0 or 1."""
    if filled:
        settings |= snippet("fill-the-group")["settings"]
    model = tiny_llama().to(device())
    config = configure(**settings, use_cpu=device() == "cpu")
    measure(num_generations=config.num_generations)
    measure(accumulation=config.gradient_accumulation_steps)
    made = trainer(model, tiny_tokenizer(), config)
    made.train()
    rows = made.state.log_history
    equal = [row["frac_reward_zero_std"] for row in rows if "frac_reward_zero_std" in row]
    norms = [row["grad_norm"] for row in rows if "grad_norm" in row]
    return {
        "evaluations": sum("eval_loss" in row for row in rows),
        "answers": getattr(config, "generation_batch_size", None),
        "groups_all_equal": sum(equal) / len(equal) if equal else None,
        "steps_without_gradient": sum(norm == 0 for norm in norms),
        "of": len(norms),
        "last_grad_norm": norms[-1],
    }


def weigh(*, filled: bool = False) -> dict[str, Any]:
    """Compute with the page's line, and ask TRL as well; ``filled``: of the fix's settings."""
    settings = snippet("fill-the-group")["settings"] if filled else HALF
    per_device, steps, generations = settings.values()
    values = snippet("valid-values")["valid"](per_device, 1, steps)
    try:
        configure(**settings)
        trl = "accepted"
    except ValueError as error:
        trl = str(error)
    return {"found": generations not in values, "values": values, "trl": trl}


def answers() -> dict[str, int]:
    """Four answers a process: how many are there together?"""
    return {"answers": configure(per_device_train_batch_size=4).generation_batch_size}
