"""What a short mask does to the result, what the check of the page says, and two older releases."""

from __future__ import annotations

from typing import Any

import torch
from failure import FIRST, TURN, chat, learn, llama, soft_prompt

from fixbook.recipe import detect, measure, snippet

LIBRARIES = ["tokenizers==0.21.4", "huggingface_hub==0.36.0"]
LAST_LOUD = ["transformers==4.52.4", *LIBRARIES]
FIRST_SILENT = ["transformers==4.53.0", *LIBRARIES]
ONCE = "an older transformers beside the main one, imported anew"


def said(run: Any, **changes: Any) -> dict[str, Any]:
    """Run it with the check of the page on the model."""
    model = llama()
    snippet("whole-mask", model=model)
    try:
        run(model, **changes)
    except ValueError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def off_by(run: Any, **changes: Any) -> dict[str, Any]:
    """Return how far the logits are from those without cache or mask, and ask the check."""
    model = llama()
    with torch.no_grad():
        texts = {chat: {"input_ids": torch.cat([FIRST, TURN], 1)}, soft_prompt: embeds(model)}
        wanted = model(**texts[run]).logits[:, -1]
    got = run(model, **changes)
    measure(off_by=(got - wanted).abs().max().item())
    measure(same_word=bool(got.argmax() == wanted.argmax()))
    return said(run, **changes)


def embeds(model: Any) -> dict[str, Any]:
    """Return what the soft prompt and its text are made into."""
    vectors = torch.sin(torch.arange(96.0)).reshape(1, 3, 32)
    return {"inputs_embeds": torch.cat([vectors, model.get_input_embeddings()(FIRST)], 1)}


def trained(**changes: Any) -> dict[str, Any]:
    """Train, and ask the check."""
    measure(loss=learn(llama(), **changes))
    return said(learn, **changes)


def attempt() -> dict[str, Any]:
    """Take the second turn of the chat, and see whether it is refused."""
    try:
        return off_by(chat)
    except RuntimeError as error:
        measure(error=str(error))
        return {"found": False}


@detect(found=True, versions=FIRST_SILENT, record_once=ONCE)
def silent_on_4_53() -> dict[str, Any]:
    """The mask is padded on its right."""
    return attempt()


@detect(found=False, control="silent-on-4-53", versions=LAST_LOUD, record_once=ONCE)
def refused_on_4_52() -> dict[str, Any]:
    """The mask does not fit the scores of attention."""
    return attempt()
