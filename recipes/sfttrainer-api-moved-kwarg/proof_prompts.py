"""An option that went and has no successor: the longest prompt that GRPO is given."""

from __future__ import annotations

from typing import Any

import datasets
import trl
from failure import QUIET

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

LENGTH = 256


def sample() -> dict[str, Any]:
    """Ask GRPO's configuration for an option that came with a later release."""
    measure(release=trl.__version__)
    return {"top_p": trl.GRPOConfig(**QUIET, bf16=False, top_p=0.9).top_p}


def reinforce(limit: str) -> dict[str, Any]:
    """Train one step of GRPO on two prompts, and see how long the longest was that it was given.

    Args:
        limit: What keeps the long one out: the ``option``, or the code of the ``page``.
    """
    tokenizer = tiny_tokenizer()
    rows = datasets.Dataset.from_dict({"prompt": ["the loss", "the loss goes down " * 400]})
    if limit == "page":
        rows = snippet("drop-long-prompts", rows=rows, tokenizer=tokenizer)["rows"]
    option = {"max_prompt_length": LENGTH} if limit == "option" else {}
    args = trl.GRPOConfig(
        **QUIET,
        bf16=False,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=4,
        **option,
    )
    seen: list[int] = []

    def reward(prompts: list[str], **_others: Any) -> list[float]:
        seen.extend(len(tokenizer(prompt)["input_ids"]) for prompt in prompts)
        return [float(at) for at in range(len(prompts))]

    model = tiny_llama().to(device())
    made = trl.GRPOTrainer(model, reward, args=args, train_dataset=rows, processing_class=tokenizer)
    measure(release=trl.__version__, kept=len(rows))
    made.train()
    return {"steps": made.state.global_step, "longest": max(seen)}
