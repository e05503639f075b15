"""Which names the installed release has, asked by importing them; and what comes of a change."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import transformers
from failure import imported, logits, save

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama

# Old names first, then the new ones, each with its module.
NAMES: dict[str, str] = {
    "top_k_top_p_filtering": "transformers",
    "is_flash_attn_available": "transformers.utils",
    "LLAMA_ATTENTION_CLASSES": "transformers.models.llama.modeling_llama",
    "LlamaFlashAttention2": "transformers.models.llama.modeling_llama",
    "AdamW": "transformers",
    "is_torch_tpu_available": "transformers",
    "shard_checkpoint": "transformers.modeling_utils",
    "BeamSearchScorer": "transformers",
    "AutoModelForVision2Seq": "transformers",
    "is_torch_fx_available": "transformers.utils.import_utils",
    "find_pruneable_heads_and_indices": "transformers.pytorch_utils",
    "HybridCache": "transformers",
    "SlidingWindowCache": "transformers",
    "SinkCache": "transformers",
    "TextDataset": "transformers",
    "SummarizationPipeline": "transformers",
    "transformers.deepspeed.HfDeepSpeedConfig": "transformers.deepspeed",
    "is_flash_attn_2_available": "transformers.utils",
    "LlamaAttention": "transformers.models.llama.modeling_llama",
    "torch.optim.AdamW": "torch.optim",
    "is_torch_xla_available": "transformers",
    "AutoModelForImageTextToText": "transformers",
    "StaticCache": "transformers",
    "transformers.integrations.HfDeepSpeedConfig": "transformers.integrations",
    "EncoderDecoderCache": "transformers",
    "Qwen3VLForConditionalGeneration": "transformers",
}
OLD = "from transformers import AdamW, get_linear_schedule_with_warmup\n"
NEW = "from torch.optim import AdamW\nfrom transformers import get_linear_schedule_with_warmup\n"


def does(name: str, source: str) -> str:
    """Tell whether the installed release has a name there."""
    try:
        imported(name.rpartition(".")[2], source)
    except ImportError as error:
        if not str(error).startswith(("cannot import name", f"No module named '{source}'")):
            raise
        return "refuses"
    return "takes"


def ask() -> dict[str, Any]:
    """Ask the installed release for every name, and the page's check about a script."""
    rows = [{"name": name, "does": does(name, source)} for name, source in NAMES.items()]
    return {"names": rows, **checked(OLD)}


def checked(script: str) -> dict[str, Any]:
    """Ask the page's check about a script."""
    Path("train.py").write_text(script)
    missing = snippet("missing")["missing"]("train.py")
    return {"found": bool(missing), "missing": ", ".join(missing)}


def train(source: str) -> dict[str, Any]:
    """Train for a hundred steps, and see what becomes of weights that get no gradient.

    Args:
        source: The module that AdamW is taken from; or ``as-printed``, the page's lines.
    """
    printed = source == "as-printed"
    module = import_module("torch.optim" if printed else source)
    measure(release=transformers.__version__, module=module.__name__)
    model = tiny_llama()
    table = model.get_input_embeddings().weight
    ids = torch.arange(16).view(2, 8)
    before, unseen = model.lm_head.weight.detach().clone(), table[32:].detach().norm()
    if printed:
        made = snippet("adamw", model=model)["optimizer"]
    else:
        made = imported("AdamW", source)(model.parameters(), lr=1e-3)
    for _ in range(100):
        model(ids, labels=ids).loss.backward()
        made.step()
        made.zero_grad()
    kept = float(table[32:].detach().norm() / unseen)
    trained = not model.lm_head.weight.detach().equal(before)
    return {"kept": kept, "trained": trained, **decays(made)}


def decays(optimizer: Any) -> dict[str, Any]:
    """Ask the page's check whether the optimizer decays weights."""
    try:
        snippet("no-decay", optimizer=optimizer)
    except AssertionError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


def loaded(*, trust_remote_code: bool = True) -> dict[str, Any]:
    """Load a model with code of its own, and compare what it says with what it said."""
    model = tiny_llama().eval()
    save(model, "old-model")
    with torch.no_grad():
        want = model(torch.arange(1, 9)[None]).logits
    return {"same": bool(logits("old-model", trust_remote_code=trust_remote_code).equal(want))}
