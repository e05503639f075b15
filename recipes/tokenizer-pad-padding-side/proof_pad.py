"""Write the model's folder, mend it, and tokenize."""

from __future__ import annotations

import json
from typing import Any

import failure
import transformers

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

CLASSES = {
    "tokenizer_class": "ChatGLMTokenizer",
    "auto_map": {"AutoTokenizer": ["tokenization_chatglm.ChatGLMTokenizer", None]},
}


def tokenizer(*, mended: bool = False) -> Any:
    """Write the folder and load its tokenizer, mended by the lines of the page or not."""
    measure(transformers=transformers.__version__)
    failure.FILE.parent.mkdir()
    failure.FILE.write_text(failure.CODE)
    (failure.FILE.parent / "tokenizer_config.json").write_text(json.dumps(CLASSES))
    (failure.FILE.parent / "config.json").write_text('{"model_type": "llama"}')
    if mended:
        snippet("mend")
    return failure.load()


def one(*, mended: bool = False) -> dict[str, Any]:
    """Tokenize one text, then a batch that has to be padded."""
    loaded = tokenizer(mended=mended)
    ids = loaded("ab")["input_ids"]
    batch = loaded(["abc", "d"], padding=True)["input_ids"]
    right = loaded(["abc", "d"], padding=True, padding_side="right")["input_ids"]
    return {
        "tokens": len(ids),
        "pads": "left" if batch[1][0] == loaded.pad_token_id else "right",
        "asked_right": "left" if right[1][0] == loaded.pad_token_id else "right",
    }


def asked(*, mended: bool = False) -> dict[str, Any]:
    """Ask the page's check about the tokenizer."""
    takes = snippet("ask", tokenizer=tokenizer(mended=mended))["takes_it"]
    return {"found": not takes}


def asked_of_the_library() -> dict[str, Any]:
    """Ask it about a tokenizer whose class is the library's."""
    takes = snippet("ask", tokenizer=tiny_tokenizer())["takes_it"]
    return {"found": not takes}
