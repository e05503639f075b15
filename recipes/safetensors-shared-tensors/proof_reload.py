"""What a file holds and what comes back from it, and what is left out of it without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from failure import FILE, save, share, tie
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    GPT2Config,
    LlamaForCausalLM,
    T5Config,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora

IDS = torch.arange(4, 12).view(1, 8)


def apart(model: Any, loaded: Any) -> float:
    """Return how far the logits of two models are apart."""
    with torch.no_grad():
        pair = [one.to("cpu").eval()(IDS).logits for one in (model, loaded)]
    return float((pair[0] - pair[1]).abs().max())


def files() -> list[str]:
    """List the files of weights."""
    return sorted(path.name for path in Path("saved").glob("*model*"))


def store(how: str) -> dict[str, Any]:
    """Save a tied model, load it, and say what its file does not hold."""
    model, file = tie().to(device()), FILE
    measure(how=how)
    if how == "save_model":
        loaded = tiny_llama(seed=1, tie_word_embeddings=True)
        snippet("any-module", model=model, loaded=loaded, path=FILE)
    else:
        if how == "page":
            snippet("save", model=model, folder="saved")
        else:
            save(model, how)
        loaded, file = LlamaForCausalLM.from_pretrained("saved"), f"saved/{FILE}"
    measure(found=bool(snippet("names", model=loaded)["listed"]))
    missing = sorted({*model.state_dict()} - {*load_file(file)})
    return {"off_by": apart(model, loaded), "missing": ", ".join(missing)}


def keep(model: Any, *, copy: bool = False, **options: Any) -> dict[str, Any]:
    """Save with transformers, load what was saved, and compare."""
    model.to(device())
    measure(safe=options.get("safe_serialization", True))
    if copy:
        snippet("copies", model=model, folder="saved")
    else:
        model.save_pretrained("saved", **options)
    loaded = type(model).from_pretrained("saved")
    first, second = loaded.model.layers
    return {
        "files": files(),
        "bytes": sum(path.stat().st_size for path in Path("saved").glob("*model*")),
        "off_by": apart(model, loaded),
        "shared": first.mlp.down_proj.weight is second.mlp.down_proj.weight,
    }


def ask_for_bin() -> dict[str, Any]:
    """Ask for a .bin, and see what is there."""
    tie().save_pretrained("saved", safe_serialization=False)
    return {"found": "pytorch_model.bin" not in files(), "files": files()}


def reload(model: Any) -> dict[str, Any]:
    """Save a model, and load it as the page does."""
    model.to(device()).save_pretrained("saved")
    done = snippet("reload", path="saved")
    missing = sorted(done["info"]["missing_keys"])
    return {"found": bool(missing), "missing": missing, "off_by": apart(model, done["model"])}


def untie() -> Any:
    """Return a model that its configuration ties, with a head of its own in memory."""
    model = tie()
    model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach() + 1)
    return model


def load_untied(**options: Any) -> dict[str, Any]:
    """Load a tied checkpoint, with an argument that unties it or without."""
    model = tie()
    model.save_pretrained("saved")
    pair = AutoModelForCausalLM.from_pretrained("saved", output_loading_info=True, **options)
    missing = sorted(pair[1]["missing_keys"])
    return {"found": bool(missing), "missing": missing, "off_by": apart(model, pair[0])}


def list_names(model: Any) -> dict[str, Any]:
    """List what the page lists."""
    listed = snippet("names", model=model)["listed"]
    return {"found": bool(listed), "listed": listed}


def flatten(model: Any) -> Any:
    """Make every parameter a piece of one buffer, as ZeRO-1 and ZeRO-2 do."""
    flat = torch.cat([p.detach().flatten() for p in model.parameters()])
    for parameter in model.parameters():
        size = parameter.numel()
        parameter.data, flat = flat[:size].view_as(parameter), flat[size:]
    return model


def list_names_of_families() -> dict[str, Any]:
    """List them of models that are tied and declare it, of one with LoRA, and of flat ones."""
    flat = flatten(tiny_llama())
    models = [
        tie(),
        AutoModelForCausalLM.from_config(GPT2Config(n_embd=32, n_layer=1, n_head=2)),
        AutoModelForSeq2SeqLM.from_config(T5Config(d_model=32, d_ff=32, num_layers=1, num_heads=2)),
        tiny_lora(tiny_llama()),
        share(declare=True),
        flat,
    ]
    listed = [names for model in models for names in list_names(model)["listed"]]
    save_file(flat.state_dict(), FILE)
    known = {"models": len(models), "saved": int(Path(FILE).is_file())}
    return {"found": bool(listed), "listed": listed, **known}
