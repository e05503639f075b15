"""What SFTTrainer does with a tokenizer that has no pad token, in three releases."""

from __future__ import annotations

from typing import Any

from failure import rows
from proof_pad import asked, bare

from fixbook.recipe import detect, measure

OLD = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
ONCE = "another TRL with its libraries, imported anew"


def loaded() -> dict[str, Any]:
    """Let the trainer make a batch, and ask the page's question of it."""
    import transformers.utils
    from datasets import Dataset

    # The liger that is installed wants transformers 5, and an old TRL imports what it finds.
    vars(transformers.utils)["is_liger_kernel_available"] = lambda *_, **__: False
    from trl import SFTConfig, SFTTrainer

    for part in bare():
        part.save_pretrained("base")
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": True, "bf16": False}
    args = SFTConfig("out", per_device_train_batch_size=2, **quiet)
    data = [row | {"attention_mask": [1] * len(row["input_ids"])} for row in rows(bare()[0])]
    trainer: Any = SFTTrainer("base", args=args, train_dataset=Dataset.from_list(data))
    measure(pad=str(trainer.processing_class.pad_token))
    return asked(trainer.processing_class, next(iter(trainer.get_train_dataloader())))


@detect(found=True, versions=["trl==0.15.2", *OLD], record_once=ONCE)
def trl_0_15() -> dict[str, Any]:
    """It takes EOS without a word, and masks it."""
    return loaded()


@detect(found=False, control="trl-0-15", versions=["trl==0.16.1", *OLD], record_once=ONCE)
def trl_0_16() -> dict[str, Any]:
    """It pads labels by place."""
    return loaded()


@detect(found=False, control="trl-0-15", versions=["trl==1.16.0"], record_once=ONCE)
def trl_1_16() -> dict[str, Any]:
    """It still does."""
    return loaded()
