"""A tokenizer.json of a newer release, and how it is read."""

import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

VOCABULARY = {token: i for i, token in enumerate([*"helowrd ", "he", "ll", "hell", "<s>", "<unk>"])}
MERGES = [["h", "e"], ["l", "l"], ["he", "ll"]]
WHITESPACE: dict[str, Any] = {"type": "Whitespace"}
START = {"id": VOCABULARY["<s>"], "content": "<s>", "special": True}


def save(folder: str, pre_tokenizer: dict[str, Any], tokenizer_class: str) -> None:
    """Write the files as today's releases write them, with pairs in lists."""
    Path(folder).mkdir(exist_ok=True)
    flags = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    saved = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [START | flags],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "unk_token": "<unk>", "vocab": VOCABULARY, "merges": MERGES},
    }
    Path(folder, "tokenizer.json").write_text(json.dumps(saved, indent=2))
    config: dict[str, Any] = {"tokenizer_class": tokenizer_class}
    config |= {"bos_token": "<s>", "unk_token": "<unk>"}
    if tokenizer_class == "TokenizersBackend":
        config["extra_special_tokens"] = ["<unk>"]  # as transformers 5 writes them
    Path(folder, "tokenizer_config.json").write_text(json.dumps(config))


def read(folder: str) -> list[str]:
    """Read the file with tokenizers alone, and split a word."""
    return list(Tokenizer.from_file(f"{folder}/tokenizer.json").encode("hello").tokens)


def load(folder: str, **options: Any) -> Any:
    """Load the folder with transformers, as everyone does."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, **options)
