"""A checkpoint that holds a model and no file of its tokenizer, as training scripts leave it."""

from __future__ import annotations

from typing import Any

from proof_models import CHECKPOINT, save_base, save_model
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from fixbook.recipe import measure, snippet

TEXTS = ("the model reads a text", "a loss goes down again")  # of equally many words
KINDS = (
    "qwen2", "qwen3", "gpt2", "gpt_neox", "gemma", "gemma2", "opt", "phi", "cohere", "bert",
    "roberta", "t5", "deberta-v2", "whisper", "llama", "mistral", "phi3", "olmo2", "glm4",
    "falcon", "bloom",
)  # fmt: skip


def encode(kind: str = "qwen2", mend: str = "") -> dict[str, Any]:
    """Load the tokenizer of a checkpoint and encode two texts.

    Args:
        kind: The ``model_type`` of the checkpoint.
        mend: The snippet that is run on the folder before.
    """
    save_base(kind)
    save_model(kind)
    if mend:
        snippet(mend)
    looked = look()
    tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)
    encoded = [tokenizer(text)["input_ids"] for text in TEXTS]
    same = encoded[0] == encoded[1]
    return looked | {"tokens": len(encoded[0]), "same": same, "first": tokenizer.decode(encoded[0])}


def generate(mend: str = "") -> dict[str, Any]:
    """Load model and tokenizer of the checkpoint, and generate."""
    measure(**encode(mend=mend))
    model = AutoModelForCausalLM.from_pretrained(CHECKPOINT)
    inputs = AutoTokenizer.from_pretrained(CHECKPOINT)(TEXTS[0], return_tensors="pt")
    return {"generated": model.generate(**inputs, max_new_tokens=2).shape[1]}


def trusted(mend: str = "") -> dict[str, Any]:
    """Load the tokenizer of a model of its authors' own code.

    Args:
        mend: The snippet that is run on the folder before.
    """
    save_base("theirs")
    save_model("theirs")
    if mend:
        snippet(mend)
    tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT, trust_remote_code=True)
    first, second = (tokenizer(text)["input_ids"] for text in TEXTS)
    return {"tokens": len(first), "same": first == second}


def kinds() -> dict[str, Any]:
    """Load tokenizers of folders that hold the configuration of a model alone."""
    said: dict[bool, list[str]] = {True: [], False: []}
    for kind in KINDS:
        AutoConfig.for_model(kind).save_pretrained(kind)
        try:
            AutoTokenizer.from_pretrained(kind)
        except ValueError:
            said[False].append(kind)
        else:
            said[True].append(kind)
    return {
        "found": bool(said[True]),
        "loads": ", ".join(said[True]),
        "raises": ", ".join(said[False]),
    }


def look() -> dict[str, Any]:
    """Look as the page does."""
    names = snippet("sizes")
    sizes = (names["tokens"], names["rows"])
    return {"found": sizes[0] < sizes[1] / 2, "vocabulary": sizes[0]}
