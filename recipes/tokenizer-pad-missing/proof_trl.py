"""What SFTTrainer does with a tokenizer that has no pad token."""

from __future__ import annotations

from typing import Any

from failure import tokenize
from proof_pad import bare, check

from fixbook.recipe import device, measure


def load() -> dict[str, Any]:
    """Let the trainer make a batch, and ask the page's question of it."""
    import transformers.utils
    from datasets import Dataset

    # The liger that is installed wants transformers 5, and an old TRL imports what it finds.
    vars(transformers.utils)["is_liger_kernel_available"] = lambda *_, **__: False
    from trl import SFTConfig, SFTTrainer

    for part in bare():
        part.save_pretrained("base")
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": device() == "cpu", "bf16": False}
    args = SFTConfig("out", per_device_train_batch_size=2, **quiet)
    rows = tokenize(bare()[0])
    data = [row | {"attention_mask": [1] * len(row["input_ids"])} for row in rows]
    trainer: Any = SFTTrainer("base", args=args, train_dataset=Dataset.from_list(data))
    measure(pad=str(trainer.processing_class.pad_token))
    return check(trainer.processing_class, next(iter(trainer.get_train_dataloader())))
