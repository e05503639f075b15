"""A saved tokenizer read by tokenizers or by transformers, and the page's code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import tokenizers
from failure import MERGES, VOCABULARY, WHITESPACE, load, read, save
from tokenizers import Tokenizer, models

from fixbook.recipe import measure, snippet

SPLIT = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "never", "split": True}


def alone(*, strings: bool = False, split: bool = False) -> dict[str, Any]:
    """Read the file with tokenizers alone.

    Args:
        strings: The page's code writes the pairs as strings first.
        split: It has a pre-tokenizer with a field of a later release.
    """
    save("saved", SPLIT if split else WHITESPACE, "PreTrainedTokenizerFast")
    if strings:
        snippet("as-strings", folder="saved")
    return {"tokens": " ".join(read("saved"))}


def with_transformers(
    kind: str = "PreTrainedTokenizerFast",
    *,
    rename: Literal["", "class", "all"] = "",
    slow: bool = False,
) -> dict[str, Any]:
    """Load the folder with transformers, and ask the page whether it reads the file as it is.

    Args:
        kind: The class that the folder names.
        rename: What is written as transformers 4 does: nothing, the class alone, or all that the
            page's code changes.
        slow: The folder has the files of older releases, too, and the class in Python reads those.
    """
    save("saved", WHITESPACE, kind)
    if slow:
        Path("saved", "vocab.json").write_text(json.dumps(VOCABULARY))
        merges = "".join(f"{left} {right}\n" for left, right in MERGES)
        Path("saved", "merges.txt").write_text(f"#version: 0.2\n{merges}")
        return {"tokens": " ".join(load("saved", use_fast=False).tokenize("hello"))}
    if rename == "all":
        snippet("names-of-4", folder="saved")
    elif rename == "class":
        config = Path("saved", "tokenizer_config.json")
        config.write_text(config.read_text().replace(kind, "PreTrainedTokenizerFast"))
        measure(named=json.loads(config.read_text())["tokenizer_class"])
    measure(tokenizers=tokenizers.__version__)
    ids = load("saved")("hello").input_ids
    try:
        snippet("same-ids", folder="saved", tokenizer=load("saved"))
    except RuntimeError as error:
        return {"found": True, "ids": str(ids), "message": str(error)}
    return {"found": False, "ids": str(ids)}


def asked() -> dict[str, Any]:
    """Ask the page's question of the file."""
    save("saved", WHITESPACE, "PreTrainedTokenizerFast")
    return {"found": snippet("asked", folder="saved")["too_old"]}


def ask_of_others() -> dict[str, Any]:
    """Ask it of models without merges, and of merges as strings."""
    Path("saved").mkdir()
    words: Any = {"<unk>": 0, "hell": 1, "o": 2}
    others: list[Any] = [
        models.WordPiece(words),
        models.WordLevel(words),
        models.Unigram([("<unk>", 0.0), ("hell", -1.0), ("o", -1.0)], 0),
    ]
    found = 0
    for model in others:
        Tokenizer(model).save("saved/tokenizer.json")
        found += bool(snippet("asked", folder="saved")["too_old"])
    save("saved", WHITESPACE, "PreTrainedTokenizerFast")
    snippet("as-strings", folder="saved")
    found += bool(snippet("asked", folder="saved")["too_old"])
    return {"found": found > 0, "of": len(others) + 1}
