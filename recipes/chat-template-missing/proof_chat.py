"""Load copies in several releases, train with a template, and ask the page's question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import CHATML, answer, copy, render, train

from fixbook.recipe import detect, fix, measure, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

TEXTS = ["the model reads a text", "a loss goes down", "<|im_start|>user assistant\n<|im_end|>"]
OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
NEWER = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
OLDEST = [
    "transformers==4.42.4",
    "tokenizers==0.19.1",
    "huggingface_hub==0.26.5",
    "numpy==1.26.4",
]
ONCE = "another transformers beside the main one, imported anew"


def base() -> Any:
    """Return the tokenizer of a base model: no template, and no token for its markers."""
    return tiny_tokenizer(TEXTS, vocab_size=400)


def written(tokenizer: Any) -> dict[str, Any]:
    """Write a question with it."""
    return {"start": render(tokenizer).split("\n")[0]}


def copied(files: str, **changes: Any) -> dict[str, Any]:
    """Write a question with a copy of a chat model's tokenizer, and ask the page's question."""
    chat = base()
    prepared(chat, tiny_llama(vocab_size=len(chat)))
    tokenizer = copy(chat, files, **changes)
    measure(copied=sorted(path.name for path in Path("copied").iterdir()))
    return written(tokenizer) | {"found": asked(tokenizer)}


def as_it_is(_: Any, __: Any) -> None:
    """Set nothing."""


def pasted(tokenizer: Any, _: Any) -> None:
    """Set the template alone."""
    tokenizer.chat_template = CHATML


def prepared(tokenizer: Any, model: Any) -> None:
    """Run the page's lines."""
    snippet("template-and-tokens", tokenizer=tokenizer, model=model, CHATML=CHATML)


def asked(tokenizer: Any) -> bool:
    """Ask the page whether markers are in pieces, or a turn ends without EOS."""
    seen = snippet("markers", tokenizer=tokenizer)
    measure(split=sorted(seen["split"]), ends=seen["ends"])
    return bool(seen["split"] or not seen["ends"])


def trained(change: Any) -> dict[str, Any]:
    """Train with a template, ask the page's question, and see whether the model stops."""
    tokenizer = base()
    model = tiny_llama(vocab_size=len(tokenizer))
    change(tokenizer, model)
    measure(template=bool(tokenizer.chat_template), loss=train(model, tokenizer))
    new = answer(model, tokenizer)
    stopped = new[-1] == tokenizer.eos_token_id
    found = asked(tokenizer)
    marker = len(tokenizer("<|im_start|>", add_special_tokens=False)["input_ids"])
    return {"found": found, "marker": marker, "new_tokens": len(new), "stopped": stopped}


@reproduce(versions=OLD, record_once=ONCE)
def read_by_4_46() -> dict[str, Any]:
    """It does not look for the file."""
    return copied("*", move_to="file")


@fix("bring-it", control="read-by-4-46", versions=OLD, record_once=ONCE)
def in_the_json_for_4_46() -> dict[str, Any]:
    """It reads the JSON."""
    return copied("*", move_to="json")


@fix("bring-it", control="read-by-4-46", versions=NEWER, record_once=ONCE)
def read_by_4_57() -> dict[str, Any]:
    """It reads the file."""
    return copied("*", move_to="file")


@detect(found=True, versions=OLDEST, record_once=ONCE)
def made_up_by_4_42() -> dict[str, Any]:
    """It takes ChatML, though nobody wrote so."""
    tokenizer = base()
    return {"found": tokenizer.chat_template is None, **written(tokenizer)}
