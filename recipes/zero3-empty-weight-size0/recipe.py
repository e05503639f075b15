"""Weights saved while ZeRO-3 holds them in parts, and what becomes of the file."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "peft==0.21.2",
#     "deepspeed==0.19.8",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from deepspeed.utils.zero_to_fp32 import get_fp32_state_dict_from_zero_checkpoint
from failure import IDS, load_whole, save_module, train
from peft import PeftModel
from transformers import AutoModelForCausalLM

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
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
    rows = snippet("empty")["empty"]("saved/adapter_model.safetensors")
    measure(rows=len(rows))
    return {"found": bool(rows)}


@reproduce(on="cpu", ranks=2)
def model_from_module() -> Any:
    """What the module holds between two forwards is empty."""
    return run()


@reproduce(on="cpu", ranks=2)
def adapter_from_module() -> Any:
    """Adapters are partitioned as well."""
    return run(lora=True)


@reproduce(on="cpu", ranks=2)
def loaded_into_parts() -> Any:
    """The other way round: the file is whole, and the model empty."""
    return load(partition=True)


@fix("gather-on-save", control="model-from-module", on="cpu", ranks=2)
def model_saved_by_engine() -> Any:
    """The engine gathers layer by layer."""
    return run("save")


@fix("gather-yourself", control="model-from-module", on="cpu", ranks=2)
def model_gathered() -> Any:
    """The module is whole while it is saved."""
    return run("save-gathered")


@fix("gather-yourself", control="adapter-from-module", on="cpu", ranks=2)
def adapter_gathered() -> Any:
    """Only the adapters are gathered."""
    return run("save-gathered", lora=True)


@fix("from-the-checkpoint", control="model-from-module", on="cpu", ranks=2)
def model_from_checkpoint() -> Any:
    """The partitions are in the checkpoint."""
    return run("checkpoint")


@fix("load-before", control="loaded-into-parts", on="cpu", ranks=2)
def loaded_whole() -> Any:
    """The model is whole as well."""
    return load(partition=False)


@non_fix("ignore-sizes", control="model-from-module", on="cpu", ranks=2)
def sizes_ignored() -> Any:
    """Every weight is drawn anew."""
    return run(ignore=True)


@reproduce(on="cpu", ranks=2)
def loaded_not_strictly() -> Any:
    """It is about missing and unexpected names, not about shapes."""
    return load(partition=True, strict=False)


@detect(found=True, on="cpu", ranks=2)
def listed_after_a_step() -> Any:
    """Straight after a step everything is empty."""
    return look(evaluate=False)


@detect(found=False, control="listed-after-a-step", on="cpu", ranks=2)
def listed_after_an_evaluation() -> Any:
    """After a forward without gradients nothing is."""
    return look(evaluate=True)


if __name__ == "__main__":
    main(__file__)
