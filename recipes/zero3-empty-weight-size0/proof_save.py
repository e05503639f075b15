"""Train, save, load and compare: what the steps do and measure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from deepspeed.utils.zero_to_fp32 import get_fp32_state_dict_from_zero_checkpoint
from failure import IDS, load_whole, save_module, train
from peft import PeftModel
from transformers import AutoModelForCausalLM

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import join_gloo, tiny_llama, tiny_lora


def trained(*, lora: bool = False, **changes: Any) -> Any:
    """Train the model, or adapters on it."""
    join_gloo()
    model = tiny_llama()
    return train(tiny_lora(model, init_lora_weights=False) if lora else model, **changes)


def loss_of(model: Any) -> float:
    """Return the loss of a batch."""
    with torch.no_grad():
        return float(model(input_ids=IDS, labels=IDS).loss)


def run(how: str = "module", *, lora: bool = False, ignore: bool = False) -> dict[str, Any]:
    """Train, save, load in a plain model on rank 0, and compare the losses."""
    engine = trained(lora=lora, gather_on_save=how == "save")
    if how == "module":
        save_module(engine, "saved")
    elif how == "checkpoint":
        engine.save_checkpoint("saved")
    else:
        snippet(how)[how.replace("-", "_")](engine, "saved")
    known = loss_of(engine)
    dist.barrier()
    if dist.get_rank():
        return {}
    if how != "checkpoint":
        measure(found=bool(listed()))
    if lora:
        model: Any = PeftModel.from_pretrained(tiny_llama(), "saved")
    elif how == "checkpoint":
        model = tiny_llama(seed=9)
        model.load_state_dict(get_fp32_state_dict_from_zero_checkpoint("saved"))
    else:
        options: Any = {"ignore_mismatched_sizes": ignore, "output_loading_info": True}
        model, info = AutoModelForCausalLM.from_pretrained("saved", **options)
        measure(drawn_anew=len(info["mismatched_keys"]))
    return {"loaded": True, "known": known, "off_by": abs(loss_of(model) - known)}


def listed() -> list[str]:
    """List with the page's code what is empty in the file of weights."""
    (file,) = Path("saved").glob("*model.*")
    return list(snippet("empty")["empty"](str(file)))


def load(*, partition: bool, strict: bool = True) -> dict[str, Any]:
    """Load a whole state dict, as a script does before its training."""
    join_gloo()
    plain: Any = {"pad_token_id": None}  # transformers 5 initialises no empty padding row
    load_whole(
        lambda: tiny_llama(seed=9, **plain),
        tiny_llama(**plain).state_dict(),
        partition=partition,
        strict=strict,
    )
    return {"loaded": True}


def look(*, evaluate: bool) -> dict[str, Any]:
    """Save adapters from the module, and list what is empty in the file."""
    save_module(trained(lora=True, evaluate=evaluate), "saved")
    rows = listed()
    measure(rows=len(rows))
    return {"found": bool(rows)}
