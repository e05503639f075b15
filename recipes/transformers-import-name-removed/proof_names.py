"""Which names the installed release has, asked by importing them; and what comes of a change."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import transformers
from failure import imported, load, said, save
from transformers import AutoModelForCausalLM

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

# Old names first, then the new ones, each with its module.
NAMES: dict[str, str] = {
    "AdamW": "transformers",
    "AutoModelForVision2Seq": "transformers",
    "HybridCache": "transformers",
    "SlidingWindowCache": "transformers",
    "SinkCache": "transformers",
    "is_torch_fx_available": "transformers.utils.import_utils",
    "find_pruneable_heads_and_indices": "transformers.pytorch_utils",
    "bytes_to_unicode": "transformers.models.gpt2.tokenization_gpt2",
    "CLIPFeatureExtractor": "transformers",
    "TFAutoModel": "transformers",
    "TextDataset": "transformers",
    "SummarizationPipeline": "transformers",
    "VideoInput": "transformers.image_utils",
    "deterministic_g": "transformers.modeling_flash_attention_utils",
    "BeamSearchScorer": "transformers",
    "is_torch_tpu_available": "transformers",
    "LLAMA_ATTENTION_CLASSES": "transformers.models.llama.modeling_llama",
    "LlamaFlashAttention2": "transformers.models.llama.modeling_llama",
    "shard_checkpoint": "transformers.modeling_utils",
    "transformers.deepspeed.HfDeepSpeedConfig": "transformers.deepspeed",
    "is_flash_attn_available": "transformers.utils",
    "top_k_top_p_filtering": "transformers",
    "transformers.modeling_bert.BertModel": "transformers.modeling_bert",
    "torch.optim.AdamW": "torch.optim",
    "AutoModelForImageTextToText": "transformers",
    "StaticCache": "transformers",
    "transformers.convert_slow_tokenizer.bytes_to_unicode": "transformers.convert_slow_tokenizer",
    "CLIPImageProcessor": "transformers",
    "transformers.video_utils.VideoInput": "transformers.video_utils",
    "is_torch_xla_available": "transformers",
    "LlamaAttention": "transformers.models.llama.modeling_llama",
    "transformers.integrations.HfDeepSpeedConfig": "transformers.integrations",
    "is_flash_attn_2_available": "transformers.utils",
    "transformers.models.bert.modeling_bert.BertModel": "transformers.models.bert.modeling_bert",
    "is_torch_greater_or_equal_than_1_13": "transformers.pytorch_utils",
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
    model = tiny_llama().to(device())
    table = model.get_input_embeddings().weight
    ids = torch.arange(16, device=device()).view(2, 8)
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


def loaded(*, as_printed: bool = False) -> dict[str, Any]:
    """Load a model with code of its own, and compare what it says with what it said.

    Args:
        as_printed: Load it with the line of the page.
    """
    model = tiny_llama().eval()
    save(model, "old-model")
    want = said(model)
    if as_printed:
        names = {"folder": "old-model", "AutoModelForCausalLM": AutoModelForCausalLM}
        model = snippet("built-in", **names)["model"]
    else:
        model = load("old-model")
    return {"same": bool(said(model).equal(want))}


def import_class(*, as_printed: bool = False) -> dict[str, Any]:
    """Import a class that was renamed, and ask the page's check about a script with the import.

    Args:
        as_printed: Import it with the line of the page.
    """
    name = "AutoModelForImageTextToText" if as_printed else "AutoModelForVision2Seq"
    made = snippet("new-name")[name] if as_printed else imported(name)
    return {"name": made.__name__, **checked(f"from transformers import {name}\n")}


def import_bert(*, as_printed: bool = False) -> dict[str, Any]:
    """Import a class from a module that moved.

    Args:
        as_printed: Import it, and what else moved, with the lines of the page.
    """
    if as_printed:
        return {"name": snippet("moved")["BertModel"].__name__}
    return {"name": imported("BertModel", "transformers.modeling_bert").__name__}


def import_base(*, without_dtype: bool = False) -> dict[str, Any]:
    """Import PreTrainedModel anew, with or without one of torch's dtypes.

    Args:
        without_dtype: Take ``float8_e4m3fn`` away from torch, as an older one does not have it.
    """
    for name in [one for one in sys.modules if one.split(".")[0] == "transformers"]:
        del sys.modules[name]
    if without_dtype:
        del torch.float8_e4m3fn
    try:
        snippet("real-error")
    except AttributeError as error:
        measure(real=str(error))
    return {"name": imported("PreTrainedModel").__name__}
