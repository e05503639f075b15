"""What becomes of the rope of a checkpoint, and what the page's check says of it."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path
from typing import Any

import torch
from failure import BY_5, SIZE, llama, read, save
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    GPTNeoXConfig,
    LlamaConfig,
    MixtralConfig,
    Phi3Config,
)

from fixbook.recipe import device, measure, snippet

FOLDER = "saved"


class Heard(logging.Handler):
    """Counts what transformers logs as a warning or worse."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        self.said.append(record.getMessage())


def quietly() -> Any:
    """Read the checkpoint, and measure how often transformers warned of anything."""
    heard, logger = Heard(), logging.getLogger("transformers")
    logger.addHandler(heard)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = read(FOLDER)
    logger.removeHandler(heard)
    about = [text for text in [*heard.said, *map(str, caught)] if "rope" in text.lower()]
    measure(warnings_about_rope=len(about))
    return model


def said(model: Any) -> dict[str, Any]:
    """Ask the check of the page."""
    try:
        snippet("check-rope", model=model, folder=FOLDER)
    except ValueError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


@torch.no_grad()
def compare(
    rope: dict[str, Any] = BY_5, *, rewrite: bool = False, make: Any = llama
) -> dict[str, Any]:
    """Save a model, read it, and compare what both say behind each of 256 tokens."""
    torch.manual_seed(0)
    trained = make().to(device())
    save(trained, FOLDER, rope)
    if rewrite:
        snippet("both-forms", folder=FOLDER)
    model = quietly()
    ids = (torch.arange(256, device=device()) * 7 % 64)[None]
    wanted, got = trained(ids).logits, model(ids).logits
    rotary = model.model.rotary_emb.inv_freq
    return {
        "theta": round(float(rotary[0] / rotary[1]) ** len(rotary)),
        "slowest": rotary[-1].item(),
        "off_by": (got - wanted).abs().mean().item(),
        "same_words": (got.argmax(-1) == wanted.argmax(-1)).float().mean().item(),
        **said(model),
    }


def saved_keys() -> dict[str, Any]:
    """Look at what this release saves."""
    llama().save_pretrained("saved")
    saved = json.loads(Path("saved", "config.json").read_text())
    rope = {key: value for key, value in saved.items() if key.startswith("rope_")}
    return {"found": rope != BY_5, "keys": ", ".join(rope)}


def stop(rope: dict[str, Any] = BY_5) -> None:
    """Let the check end it before the model is used."""
    save(llama(), FOLDER, rope)
    snippet("check-rope", model=read(FOLDER), folder=FOLDER)


def save_again() -> dict[str, Any]:
    """Read and save again: the folder has what was saved first, and what was used."""
    save(llama(), FOLDER, BY_5)
    read(FOLDER).save_pretrained("again")
    saved = json.loads(Path("again", "config.json").read_text())
    rope = {key: value for key, value in saved.items() if key.startswith("rope_")}
    return {
        "theta_of_4": saved["rope_theta"],
        "theta_of_5": saved["rope_parameters"]["rope_theta"],
        "found": rope == {**BY_5, "rope_theta": 10000.0, "rope_scaling": None},
    }


def check_usual_models() -> dict[str, Any]:
    """Ask the check of models as this release saves and reads them."""
    short: dict[str, Any] = {"short_factor": [1.1] * 16, "long_factor": [2.0] * 16}
    long: dict[str, Any] = {"rope_type": "longrope", "rope_theta": 10000.0, **short}
    scaled: list[Any] = [
        LlamaConfig(**SIZE, rope_parameters={"rope_theta": 500000.0, "rope_type": kind, **more})
        for kind, more in {
            "linear": {"factor": 4.0},
            "dynamic": {"factor": 4.0},
            "yarn": {"factor": 4.0, "original_max_position_embeddings": 512},
        }.items()
    ]
    small: dict[str, Any] = {"vocab_size": 64, "hidden_size": 64, "num_attention_heads": 2}
    usual: list[Any] = [
        GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=2),
        GPTNeoXConfig(**small, intermediate_size=64, num_hidden_layers=2),
        Gemma2Config(**SIZE),
        Gemma3TextConfig(**SIZE),
        MixtralConfig(**SIZE),
        Phi3Config(
            **SIZE, pad_token_id=0, original_max_position_embeddings=4096, rope_parameters=long
        ),
        *scaled,
    ]
    found = 0
    for config in usual:
        AutoModelForCausalLM.from_config(config).save_pretrained(FOLDER)
        found += said(read(FOLDER))["found"]
    return {"found": found > 0, "of": len(usual)}
