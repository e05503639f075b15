"""What becomes of the rope of a checkpoint, what the page's check says, and the older releases."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path
from typing import Any

import torch
from failure import BY_5, QWEN, llama, qwen, read, save

from fixbook.recipe import detect, fix, measure, reproduce, snippet

LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1"]
OLD_4 = ["transformers==4.46.3", "huggingface_hub==0.36.0", "tokenizers==0.20.3"]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"
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
    trained = make()
    save(trained, FOLDER, rope)
    if rewrite:
        snippet("both-forms", folder=FOLDER)
    model = quietly()
    ids = (torch.arange(256) * 7 % 64)[None]
    wanted, got = trained(ids).logits, model(ids).logits
    rotary = model.model.rotary_emb.inv_freq
    return {
        "theta": round(float(rotary[0] / rotary[1]) ** len(rotary)),
        "slowest": rotary[-1].item(),
        "off_by": (got - wanted).abs().mean().item(),
        "same_words": (got.argmax(-1) == wanted.argmax(-1)).float().mean().item(),
        **said(model),
    }


@detect(found=True, versions=LAST_4, record_once=ONCE)
def read_by_4_57() -> dict[str, Any]:
    """It knows no ``rope_parameters``."""
    return compare()


@detect(found=True, versions=OLD_4, record_once=ONCE)
def read_by_4_46() -> dict[str, Any]:
    """Nor does this one."""
    return compare()


@detect(found=True, versions=LAST_4, record_once=ONCE)
def qwen_read_by_4_57() -> dict[str, Any]:
    """The same without scaling, for a model whose theta is a million."""
    return compare(QWEN, make=qwen)


@detect(found=False, control="read-by-4-57", versions=FIRST_5, record_once=ONCE)
def read_by_5_0() -> dict[str, Any]:
    """The first release that writes it reads it."""
    return compare()


@reproduce(versions=LAST_4, record_once=ONCE)
def check_stops_it() -> None:
    """The check ends it before the model is used."""
    save(llama(), FOLDER, BY_5)
    snippet("check-rope", model=read(FOLDER), folder=FOLDER)


@reproduce(versions=LAST_4, record_once=ONCE)
def check_stops_qwen() -> None:
    """The same for a RoPE without scaling."""
    save(qwen(), FOLDER, QWEN)
    snippet("check-rope", model=read(FOLDER), folder=FOLDER)


@detect(found=True, versions=LAST_4, record_once=ONCE)
def saved_again_by_4_57() -> dict[str, Any]:
    """Read and saved again, the folder has both: what was saved first, and what was used."""
    save(llama(), FOLDER, BY_5)
    read(FOLDER).save_pretrained("again")
    saved = json.loads(Path("again", "config.json").read_text())
    rope = {key: value for key, value in saved.items() if key.startswith("rope_")}
    return {
        "theta_of_4": saved["rope_theta"],
        "theta_of_5": saved["rope_parameters"]["rope_theta"],
        "found": rope == {**BY_5, "rope_theta": 10000.0, "rope_scaling": None},
    }


@fix("both-forms", control="read-by-4-57", versions=LAST_4, record_once=ONCE)
def both_forms_read_by_4_57() -> dict[str, Any]:
    """Theta and scaling are there in the words of 4 too."""
    return compare(rewrite=True)


@fix("both-forms", control="qwen-read-by-4-57", versions=LAST_4, record_once=ONCE)
def qwen_in_both_forms() -> dict[str, Any]:
    """The same without scaling."""
    return compare(QWEN, make=qwen, rewrite=True)


@detect(found=False, control="read-by-4-57", versions=LAST_4, record_once=ONCE)
def theta_alone() -> dict[str, Any]:
    """Theta is right, the scaling is still lost, and the check sees theta alone."""
    return compare({**BY_5, "rope_theta": 500000.0})
