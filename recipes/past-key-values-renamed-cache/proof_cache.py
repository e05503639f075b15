"""What a model of one's own generates, and whether the cache that it is handed is used."""

from __future__ import annotations

import inspect
from typing import Any

from failure import generate, loaded, prompt, save
from transformers import AutoModelForCausalLM, LlamaForCausalLM

from fixbook.recipe import snippet


def run(name: str, mend: str = "", **options: Any) -> dict[str, Any]:
    """Generate with a class of the model's code, and compare with transformers' own class.

    Args:
        name: The class that the repository names.
        mend: The page's snippet that loads the weights in its place.
        options: For ``generate``.
    """
    model = load(name, mend)
    words, given = generate(model, **options)
    wanted, _ = generate(loaded(trust=False))
    same = [a == b for a, b in zip(words, wanted, strict=True)]
    kinds = {one.kind for one in inspect.signature(model.forward).parameters.values()}
    shown = {
        "same_words": sum(same) / len(same),
        "second": given[1],
        "last": given[-1],
        "tokens": sum(given),
        "takes_any": inspect.Parameter.VAR_KEYWORD in kinds,
    }
    if options:
        shown["own_prepare"] = said_by_own_prepare(**options)
    return shown | ({"by_old_names": by_old_names(model) == wanted} if mend == "built-in" else {})


def load(name: str, mend: str) -> Any:
    """Load the weights as the repository says, or as a snippet of the page does."""
    save(name)
    if mend == "built-in":
        return snippet(mend, AutoModelForCausalLM=AutoModelForCausalLM, path="model")["model"]
    if mend:
        return snippet(mend, Base=LlamaForCausalLM)["Mended"].from_pretrained("model")
    return loaded(trust=True)


def by_old_names(model: Any) -> list[int]:
    """Generate in a loop that says ``past_key_values`` on both sides."""
    ids, past, tokens = prompt(), None, []
    for _ in range(8):
        outputs = model(ids, past_key_values=past, use_cache=True)
        past, ids = outputs.past_key_values, outputs.logits[:, -1:].argmax(-1)
        tokens.append(int(ids))
    return tokens


def said_by_own_prepare(**options: Any) -> str:
    """Return what the code that relies on a cache says with these options."""
    try:
        generate(load("OwnPrepare", ""), **options)
    except AttributeError as error:
        return str(error)
    return ""


def check(name: str, mend: str = "") -> dict[str, Any]:
    """Run the page's check; see `run`."""
    names = snippet("lengths", model=load(name, mend), ids=prompt())
    lengths, same = names["lengths"], names["same"]
    found = any(length != 1 for length in lengths[1:]) or same < 1
    return {"found": found, "lengths": " ".join(map(str, lengths)), "same": same}
