"""The page's look at an adapter, and a merged model beside the adapter that went into it."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import torch
from failure import serve, train
from peft import PeftModel
from transformers import AutoModelForCausalLM
from vllm.engine.arg_utils import AsyncEngineArgs

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.vllm_workers import configured

SERVED = "vllm serve MODEL --enable-lora --lora-modules mine=ADAPTER"


def look(limit: int = 16) -> dict[str, Any]:
    """Ask the page's code what the adapter needs, as against this limit."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("rank")
    measure(said=said.getvalue().strip())
    return {"found": done["rank"] > limit}


def look_and_serve(**lora: Any) -> dict[str, Any]:
    """Save an adapter, look at it, and serve it with nothing set."""
    train(**lora)
    found = look()
    try:
        served = serve(SERVED)["layers"] > 0
    except ValueError:
        served = False
    return found | {"served": served}


def from_python(**options: Any) -> dict[str, int]:
    """Have vLLM check what its classes for Python, such as ``LLM``, pass on."""
    arguments = AsyncEngineArgs(model="MODEL", skip_tokenizer_init=True, **options)
    return {"limit": arguments.create_engine_config().lora_config.max_lora_rank}


def serve_1024(*, merged: bool = False) -> dict[str, float]:
    """Serve an adapter of rank 1024 with the largest limit, or merged by the page's code."""
    train(r=1024, lora_alpha=1024, init_lora_weights=False)  # one that moves the logits
    if not merged:
        return dict(serve(f"{SERVED} --max-lora-rank 512"))
    snippet("merge")
    ids = torch.arange(16)[None]
    base = AutoModelForCausalLM.from_pretrained("MODEL")
    model = AutoModelForCausalLM.from_pretrained("MERGED")
    with torch.no_grad():
        without = base(ids).logits
        wanted = PeftModel.from_pretrained(base, "ADAPTER")(ids).logits
        difference = (model(ids).logits - wanted).abs().max()
    config = configured("vllm serve MERGED")
    measure(changed=float((wanted - without).abs().max()))
    return {"difference": float(difference), "length": config.model_config.max_model_len}
