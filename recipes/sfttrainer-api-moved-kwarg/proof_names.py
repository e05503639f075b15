"""What the installed TRL does with a name, asked of the real classes; and a run of one step."""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any

import trl
from failure import QUIET, config, plain, preference, texts, trainer

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

QUIET["use_cpu"] = device() == "cpu"

# Old places first, then the new ones; values are not the defaults, of which none would warn.
NAMES: dict[str, Any] = {
    "SFTTrainer(dataset_text_field)": "text",
    "SFTTrainer(max_seq_length)": 16,
    "SFTTrainer(packing)": True,
    "SFTTrainer(dataset_num_proc)": 1,
    "SFTTrainer(dataset_kwargs)": {},
    "SFTTrainer(neftune_noise_alpha)": 5.0,
    "SFTTrainer(tokenizer)": None,
    "SFTConfig(max_seq_length)": 16,
    "DPOTrainer(beta)": 0.2,
    "DPOTrainer(max_length)": 64,
    "DPOTrainer(tokenizer)": None,
    "DPOConfig(max_prompt_length)": 32,
    "SFTConfig(dataset_text_field)": "text",
    "SFTConfig(max_length)": 16,
    "SFTConfig(packing)": True,
    "SFTConfig(dataset_num_proc)": 1,
    "SFTConfig(dataset_kwargs)": {},
    "SFTConfig(neftune_noise_alpha)": 5.0,
    "SFTTrainer(processing_class)": None,
    "DPOConfig(beta)": 0.2,
    "DPOConfig(max_length)": 64,
    "DPOTrainer(processing_class)": None,
}


def does(name: str, value: Any) -> str:
    """Tell what a class does with an argument: takes it, warns of it or refuses it."""
    where, _, key = name.rstrip(")").partition("(")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            make(where, key, value)
    except TypeError as error:
        if f"unexpected keyword argument '{key}'" not in str(error):
            raise
        return "refuses"
    said = (str(one.message).lower() for one in caught)
    warned = any("deprecated" in text and re.search(rf"\b{key}\b", text) for text in said)
    return "warns" if warned else "takes"


def make(where: str, key: str, value: Any) -> Any:
    """Make one of the four with one argument."""
    named: dict[str, Any] = {key: value}
    if where == "SFTConfig":
        return config(**named)
    tokens: dict[str, Any] = {"processing_class": tiny_tokenizer()}
    if key in {"tokenizer", "processing_class"}:
        tokens, named = {key: tiny_tokenizer()}, {}
    if where == "SFTTrainer":
        return trainer(tiny_llama(), config(), **tokens, **named)
    if where == "DPOConfig":
        return preference(tiny_llama(), named, **tokens)
    return preference(tiny_llama(), {}, **tokens, **named)


def ask() -> dict[str, Any]:
    """Ask the installed release about every name, and the page's check about two of them."""
    rows = [{"name": name, "does": does(name, value)} for name, value in NAMES.items()]
    unknown = snippet("unknown")["unknown"](trl.SFTTrainer, "dataset_text_field", "packing")
    return {"names": rows, "found": bool(unknown)}


def run(
    place: str = "config",
    length: str = "max_length",
    tokenizer_as: str = "processing_class",
) -> dict[str, Any]:
    """Train one step with the options in one place, and see how long a row became.

    Args:
        place: Where they go: ``trainer``, ``config``, ``nowhere``, or ``as-printed``.
        length: The name of the length.
        tokenizer_as: The name of the tokenizer.
    """
    options: dict[str, Any] = {"dataset_text_field": "text", length: 16}
    tokens = {tokenizer_as: tiny_tokenizer()}
    model = tiny_llama().to(device())
    if place == "as-printed":
        made = printed(model, tokens["processing_class"])
    else:
        args = config(**options) if place == "config" else plain()
        given = options if place == "trainer" else {}
        made = trainer(model, args, **tokens, **given)
    measure(release=trl.__version__, length_in_force=getattr(made.args, "max_length", None))
    before = made.model.lm_head.weight.detach().clone()
    made.train()
    longest = max(len(row["input_ids"]) for row in made.train_dataset)
    moved = not made.model.lm_head.weight.detach().equal(before)
    return {"longest": longest, "trained": moved}


def prefer(config: dict[str, Any] | None) -> dict[str, Any]:
    """Train preferences for one step with a configuration, or with transformers' arguments."""
    made = preference(tiny_llama().to(device()), config, processing_class=tiny_tokenizer())
    made.train()
    return {"beta": made.beta, "steps": made.state.global_step}


def printed(model: Any, tokenizer: Any) -> Any:
    """Run the page's code for two long texts."""
    quiet = functools.partial(trl.SFTConfig, **QUIET | {"bf16": False})
    names = {"SFTConfig": quiet, "SFTTrainer": trl.SFTTrainer}
    given = {"model": model, "rows": texts("text"), "tokenizer": tokenizer}
    return snippet("moved", **names, **given)["trainer"]


def checked(place: str) -> dict[str, Any]:
    """Prepare a column called text, and ask the page's check for the longest row."""
    args = config(max_length=16) if place == "config" else plain()
    made = trainer(tiny_llama().to(device()), args, processing_class=tiny_tokenizer())
    try:
        snippet("longest", trainer=made, max_length=16)
    except AssertionError as error:
        return {"found": True, "message": str(error), "longest": int(str(error).split()[-1])}
    return {"found": False, "longest": 16}
