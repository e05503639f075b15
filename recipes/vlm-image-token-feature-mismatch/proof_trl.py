"""What TRL makes of a limit on length."""

from __future__ import annotations

from typing import Any

from failure import images
from proof_images import TEXTS, judged, looked, ready

from fixbook.recipe import device


def collated_by_trl(limit: int | None) -> tuple[Any, Any]:
    """Let TRL collate rows whose last word is the answer."""
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    processor, model = ready()
    split = [text.rsplit(" ", 1) for text in TEXTS]
    rows = [
        {"images": [image], "prompt": prompt, "completion": f" {answer}"}
        for image, (prompt, answer) in zip(images(), split, strict=True)
    ]
    collator = DataCollatorForVisionLanguageModeling(
        processor, max_length=limit, completion_only_loss=True
    )
    return dict(collator(rows)), model


def trained(limit: int | None) -> dict[str, Any]:
    """Run a forward on what TRL collates."""
    batch, model = collated_by_trl(limit)
    return judged(model.to(device()), {name: x for name, x in batch.items() if name != "labels"})


def labels_left(limit: int) -> dict[str, Any]:
    """Ask the page's question of it."""
    return looked(*collated_by_trl(limit))
