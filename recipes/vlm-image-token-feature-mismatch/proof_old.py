"""What TRL makes of a limit, and what transformers 4.57 does without a placeholder."""

from __future__ import annotations

from typing import Any

from failure import images
from proof_images import TEXTS, asked, judged, looked, ready

from fixbook.recipe import detect, fix, reproduce

OLD = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
ONCE = "another release, imported anew"


@reproduce(versions=OLD, record_once=ONCE)
def left_out_on_4_57() -> dict[str, Any]:
    """Its processor does not compare, so the model does."""
    return asked(placeholder=False)


def collated(limit: int | None) -> tuple[Any, Any]:
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
    batch, model = collated(limit)
    return judged(model, {name: x for name, x in batch.items() if name != "labels"})


@reproduce(versions=["trl==1.16.0"], record_once=ONCE)
def trl_with_a_limit() -> dict[str, Any]:
    """The collator cuts ids, and leaves the pixels."""
    return trained(10)


@fix("longer-limit", control="trl-with-a-limit", versions=["trl==1.16.0"], record_once=ONCE)
def trl_without_a_limit() -> dict[str, Any]:
    """Nothing is cut."""
    return trained(None)


@detect(found=True, versions=["trl==1.16.0"], record_once=ONCE)
def finds_a_cut_answer() -> dict[str, Any]:
    """The limit falls behind the image and before the answer."""
    return looked(*collated(20))
