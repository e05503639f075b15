"""What a RoPE of config.json becomes, measured against its formula, and the older releases."""

from __future__ import annotations

from math import pi
from typing import Any

import torch
from failure import LLAMA3, PROPORTIONAL, SIZE, phi3, read, save
from transformers import Qwen2Config, Qwen2ForCausalLM

from fixbook.recipe import detect, fix, non_fix, reproduce, snippet

BESIDE_4 = ["huggingface_hub==0.36.2", "tokenizers==0.19.1", "numpy==1.26.4"]
LAST_BAD = ["transformers==4.42.4", *BESIDE_4]
BUGGY = ["transformers==4.43.0", *BESIDE_4]
FIRST_GOOD = ["transformers==4.43.1", *BESIDE_4]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"
YARN: dict[str, Any] = {
    "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
}


def of_llama3() -> torch.Tensor:
    """Return the frequencies of Llama 3.1: slow ones divided by 8, and a ramp in between."""
    plain = 1 / 500000 ** (torch.arange(0, 32, 2) / 32)
    fast = ((8192 * plain / (2 * pi) - 1) / 3).clamp(0, 1)
    return plain * (fast + (1 - fast) / 8)


@torch.no_grad()
def compare(**rope: Any) -> dict[str, Any]:
    """Read a checkpoint, and compare it with the same weights under the right frequencies."""
    torch.manual_seed(0)
    right = save("saved", **rope)
    for module in right.modules():
        if hasattr(module, "inv_freq"):
            module.inv_freq = of_llama3()
    model = read("saved")
    ids = (torch.arange(256) * 7 % 64)[None]
    wanted, got = right(ids).logits, model(ids).logits
    scaling = model.config.rope_scaling
    return {
        "kind": scaling.get("rope_type", scaling.get("type")),
        "off_by": (got - wanted).abs().mean().item(),
        "same_words": (got.argmax(-1) == wanted.argmax(-1)).float().mean().item(),
    }


def proportional() -> dict[str, Any]:
    """Read a checkpoint of 2026."""
    save("saved", rope_parameters=PROPORTIONAL)
    return {"frequencies": int((read("saved").model.rotary_emb.inv_freq > 0).sum())}


def longrope() -> dict[str, Any]:
    """Read the config of a Phi-3."""
    return {"kind": phi3("saved").rope_scaling["type"]}


def asked() -> dict[str, Any]:
    """Ask the page whether the installed transformers knows the RoPE of the folder."""
    save("saved", rope_scaling=LLAMA3)
    return {"found": snippet("too-old", folder="saved")["too_old"]}


def yarn() -> dict[str, Any]:
    """Make a Qwen2 whose config asks for YaRN, and see whether its slowest dimension is slower."""
    model: Any = Qwen2ForCausalLM(Qwen2Config(**SIZE, **YARN))
    slowest = next(m.inv_freq for m in model.modules() if hasattr(m, "inv_freq"))[-1].item()
    return {"slowest": slowest, "found": abs(slowest * 10000 ** (30 / 32) - 1) < 1e-3}


@reproduce(versions=LAST_BAD, record_once=ONCE)
def llama3_on_4_42() -> dict[str, Any]:
    """Llama 3.1 names six fields, and this release wants two."""
    return compare(rope_scaling=LLAMA3)


@reproduce(versions=BUGGY, record_once=ONCE)
def llama3_on_4_43_0() -> dict[str, Any]:
    """It knows the fields, and asks for the old one as well."""
    return compare(rope_scaling=LLAMA3)


@reproduce(versions=LAST_BAD, record_once=ONCE)
def longrope_on_4_42() -> dict[str, Any]:
    """A type of a later release."""
    return longrope()


@reproduce(versions=LAST_BAD, record_once=ONCE)
def whole_factor_on_4_42() -> dict[str, Any]:
    """A factor without a decimal point."""
    return compare(rope_scaling={"type": "linear", "factor": 8})


@reproduce(versions=FIRST_5, record_once=ONCE)
def proportional_on_5_0() -> dict[str, Any]:
    """A type of 2026."""
    return proportional()


@fix("newer-transformers", control="llama3-on-4-42", versions=FIRST_GOOD, record_once=ONCE)
def llama3_on_4_43_1() -> dict[str, Any]:
    """The first release that reads it."""
    return compare(rope_scaling=LLAMA3)


@fix("newer-transformers", control="longrope-on-4-42", versions=FIRST_GOOD, record_once=ONCE)
def longrope_on_4_43_1() -> dict[str, Any]:
    """This one too."""
    return longrope()


@non_fix("two-fields", control="llama3-on-4-42", versions=LAST_BAD, record_once=ONCE)
def two_fields() -> dict[str, Any]:
    """It loads, and all positions are eight times closer."""
    return compare(rope_scaling={"type": "linear", "factor": 8.0})


@detect(found=True, versions=LAST_BAD, record_once=ONCE)
def asked_on_4_42() -> dict[str, Any]:
    """The type is none of this release's."""
    return asked()


@detect(found=False, control="asked-on-4-42", versions=FIRST_GOOD, record_once=ONCE)
def asked_on_4_43_1() -> dict[str, Any]:
    """The type is among this release's."""
    return asked()


@detect(found=True, versions=LAST_BAD, record_once=ONCE)
def yarn_on_4_42() -> dict[str, Any]:
    """Qwen2 of this release keeps the field, and does nothing with it."""
    return yarn()
