"""TRL's SFTTrainer with texts."""

from __future__ import annotations

from typing import Any

from failure import raw

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer


def train_sft(**options: Any) -> dict[str, Any]:
    """Give it texts, by the page's lines; return how much of the model moved."""
    from trl import SFTConfig, SFTTrainer

    model = tiny_llama()
    before = model.lm_head.weight.detach().cpu().clone()
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": device() == "cpu", "bf16": False}
    args = SFTConfig("out", max_steps=3, learning_rate=1e-2, save_strategy="no", **quiet, **options)
    names: dict[str, Any] = {"model": model, "args": args, "tokenizer": tiny_tokenizer()}
    names["SFTTrainer"] = SFTTrainer
    trainer = snippet("sft", dataset=raw(), **names)["trainer"]
    batch = next(iter(trainer.get_train_dataloader()))
    measure(kept=not args.remove_unused_columns, batch=sorted(batch))
    trainer.train()
    moved = (model.lm_head.weight.detach().cpu() != before).float().mean().item()
    return {"moved": moved}
