"""What is generated from padded prompts, against each prompt by itself."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import failure

from fixbook.recipe import measure, snippet


def answered(
    *,
    single: bool = False,
    side: str = "left",
    mask: bool = False,
    pad: bool = False,
    page: bool = False,
) -> dict[str, Any]:
    """Generate from padded prompts as told, and compare by the page's lines.

    Args:
        single: One prompt, padded to a fixed length, in place of two.
        side: Where the padding goes.
        mask: Give the attention mask.
        pad: Give pad_token_id, as is often advised.
        page: Generate by the page's lines instead.
    """
    measure(transformers=version("transformers"), mask=mask, pad_token_id=pad)
    model, made = failure.model(), failure.tokenizer()
    texts = failure.TEXTS[:1] if single else failure.TEXTS
    if page:
        answers = snippet("mask", tokenizer=made, model=model, texts=texts)["answers"]
    else:
        filled: dict[str, Any] = {"padding": "max_length", "max_length": 12} if single else {}
        inputs = made(texts, **{"padding": True} | filled, padding_side=side, return_tensors="pt")
        given = {"attention_mask": inputs["attention_mask"]} if mask else {}
        if pad:
            given["pad_token_id"] = made.eos_token_id
        answers = failure.generate(model, inputs["input_ids"], **given)
    wrong = snippet("compare", tokenizer=made, model=model, texts=texts, answers=answers)["wrong"]
    return {"found": bool(wrong), "wrong": len(wrong), "prompts": len(texts)}


def unpadded() -> dict[str, Any]:
    """Generate from one prompt without padding and without a mask."""
    measure(transformers=version("transformers"))
    model, made, texts = failure.model(), failure.tokenizer(), failure.TEXTS[:1]
    answers = failure.generate(model, made(texts, return_tensors="pt")["input_ids"])
    wrong = snippet("compare", tokenizer=made, model=model, texts=texts, answers=answers)["wrong"]
    return {"found": bool(wrong), "wrong": len(wrong)}
