"""Load a folder through the class of a snippet, and compare it with the model that was saved."""

from __future__ import annotations

from typing import Any

import torch
from failure import FOLDER, load, save
from transformers import AutoModel

from fixbook.recipe import measure, snippet


def loaded(kind: str, mend: str = "", *, trust: bool = False) -> dict[str, Any]:
    """Load the model of one kind.

    Args:
        kind: As `failure.save` takes it; the code of ``theirs`` is trusted anyhow.
        mend: The snippet that loads it; by default ``AutoModelForCausalLM`` does.
        trust: Whether code that lies in the folder may run; it does where there is some.
    """
    if trust:
        save("theirs")
        measure(with_code=type(snippet("authors", folder=FOLDER)["model"]).__name__)
    saved = save(kind)
    if mend:
        model = snippet(mend, folder=FOLDER)["model"]
    else:
        model = load(trust_remote_code=trust or kind == "theirs")
    return {"model": type(model).__name__, "off_by": off_by(saved, model)}


def off_by(saved: Any, model: Any) -> float:
    """Return how far the logits of a model are from those of the one that was saved."""
    ids = torch.tensor([[3, 4, 5, 6]])
    more = {"decoder_input_ids": ids} if saved.config.is_encoder_decoder else {}
    with torch.no_grad():
        first, second = (one.eval()(input_ids=ids, **more).logits for one in (saved, model))
    return float((first - second).abs().max())


def asked(kind: str) -> dict[str, Any]:
    """Ask which classes take the folder, as the page does."""
    save(kind)
    names = snippet("classes", folder=FOLDER)
    found = "AutoModelForCausalLM" not in names["takes"]
    return {"found": found, "takes": ", ".join(names["takes"])}


def body(*, mend: bool) -> dict[str, Any]:
    """Load a vision-language model with AutoModel, or with the class that has its output layer."""
    save("vision-language")
    model = snippet("vision", folder=FOLDER)["model"] if mend else AutoModel.from_pretrained(FOLDER)
    with torch.no_grad():
        out = model(input_ids=torch.tensor([[3, 4, 5, 6]]))
    logits = "logits" in out
    measure(model=type(model).__name__)
    return {"found": not logits, "generates": hasattr(model, "generate")}
