"""The calls on the installed release, and the page's look at a script."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import failure
from failure import TEXTS, tokenizer

from fixbook.recipe import measure, snippet

OLD = """
rows = tokenizer.batch_encode_plus(texts, padding=True)
ids = tokenizer.build_inputs_with_special_tokens(ids)
marks = tok.additional_special_tokens
"""
NEW = """
rows = tokenizer(texts, padding=True)
ids = tokenizer(text)["input_ids"]
text = tokenizer.decode(ids)
marks = tokenizer.all_special_tokens
width = tokenizer.model_max_length + tokenizer.vocab_size
"""


def releases() -> None:
    """Measure which releases answer."""
    measure(transformers=version("transformers"), tokenizers=version("tokenizers"))


def batch(*, page: bool = False) -> dict[str, Any]:
    """Tokenize texts, by the old name or by the page's line."""
    releases()
    made = tokenizer()
    got = snippet("batch", tokenizer=made, texts=TEXTS)["rows"] if page else failure.batch(made)
    return {"rows": len(got["input_ids"]), "tokens": int(got["attention_mask"].sum())}


def one(*, page: bool = False) -> dict[str, Any]:
    """Tokenize one text, by the old name or by the page's line."""
    made = tokenizer()
    got = snippet("one", tokenizer=made, text=TEXTS[0])["row"] if page else failure.one(made)
    return {"tokens": len(got["input_ids"])}


def with_special(*, page: bool = False) -> dict[str, Any]:
    """Put special tokens around a text, by the old name or by the page's line."""
    made = tokenizer()
    if page:
        return {"tokens": len(snippet("special", tokenizer=made, text=TEXTS[0])["ids"])}
    return {"tokens": len(failure.with_special(made))}


def marks(*, page: bool = False) -> dict[str, Any]:
    """Ask for the special tokens, by the old name or by the page's lines."""
    made = tokenizer()
    return {
        "marks": len(snippet("marks", tokenizer=made)["marks"] if page else failure.marks(made))
    }


def targets(*, page: bool = False) -> dict[str, Any]:
    """Tokenize targets, in the old context or by the page's line."""
    made = tokenizer()
    if page:
        return {"rows": len(snippet("targets", tokenizer=made, texts=TEXTS)["labels"])}
    return {"rows": len(failure.targets(made)["input_ids"])}


def of_length(*, page: bool = False) -> dict[str, Any]:
    """Pad one text to 16 tokens, by the old argument or by the page's."""
    made = tokenizer()
    if page:
        got = snippet("of-length", tokenizer=made, text=TEXTS[0])["row"]
    else:
        got = failure.of_length(made)
    return {"found": len(got["input_ids"]) != 16, "tokens": len(got["input_ids"])}


def guarded(*, page: bool = False) -> dict[str, Any]:
    """Ask for the special tokens with a default, as careful code does."""
    made = tokenizer()
    if page:
        marks = snippet("marks", tokenizer=made)["marks"]
    else:
        marks = getattr(made, "additional_special_tokens", [])
    return {"found": not marks, "marks": len(marks)}


def looked(*, new: bool = False) -> dict[str, Any]:
    """Let the page's lines look at a script."""
    releases()
    Path("train.py").write_text(NEW if new else OLD)
    missing = snippet("look", tokenizer=tokenizer())["missing"]
    return {"found": bool(missing), "missing": ", ".join(missing)}
