"""A model is loaded from a folder whose weights are not there by a name that transformers knows."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch.distributed import checkpoint
from transformers import AutoModelForCausalLM, LlamaForCausalLM, Trainer, TrainingArguments
from transformers.integrations.deepspeed import unset_hf_deepspeed_config

from fixbook.recipe import measure, run_snippet, snippet
from fixbook.recipe.helpers import join_ranks, local_hub, tiny_llama, tiny_lora

BASE, ADAPTER, MERGED = "BASE_MODEL", "out/lora", "out/merged"
CHECKPOINT, HERE = "out/checkpoint-500", "models/MODEL"
IDS = torch.arange(5, 21)[None]
DCP: Any = checkpoint  # its functions have no types


def loss_of(model: Any) -> float:
    """Return the loss of a batch."""
    with torch.no_grad():
        return float(model(input_ids=IDS, labels=IDS).loss)


def load(folder: str, known: float, **options: Any) -> dict[str, Any]:
    """Load what the folder holds, and compare it with the model that was saved."""
    options |= {"output_loading_info": True}
    loaded: Any = AutoModelForCausalLM.from_pretrained(folder, **options)
    model, info = loaded
    return {"missing": len(info["missing_keys"]), "off_by": abs(loss_of(model) - known)}


def keys_of(folder: str) -> dict[str, Any]:
    """Ask with the page's code whose weights the file has, and count those of the model."""
    adapters = snippet("keys", folder=folder)["adapters"]
    with safe_open(f"{folder}/model.safetensors", "pt") as opened:
        missing = set(tiny_llama().state_dict()) - set(opened.keys())
    return {"missing": len(missing), "found": bool(adapters)}


def look(folder: str, *names: tuple[str, ...]) -> None:
    """Look as the page does."""
    there, _ = snippet("look")["look"](folder, *names)
    measure(found=not there)


def adapter(how: str = "", **options: Any) -> dict[str, Any]:
    """Load the folder of a LoRA run, into which somebody copied config.json."""
    tiny_llama().save_pretrained(BASE)
    base = LlamaForCausalLM.from_pretrained(BASE)
    trained = tiny_lora(base, init_lora_weights=False)
    known = loss_of(trained)
    trained.save_pretrained(ADAPTER)
    shutil.copy(f"{BASE}/config.json", ADAPTER)
    measure(copied=how == "copied", only_safetensors=bool(options.get("use_safetensors")))
    if how == "copied":
        shutil.copy(f"{ADAPTER}/adapter_model.safetensors", f"{ADAPTER}/model.safetensors")
    elif how:
        measure(merged_off_by=abs(loss_of(snippet(how)["model"]) - known))
    folder = MERGED if how == "merge" else ADAPTER
    look(folder)
    return load(folder, known, **options) | (keys_of(folder) if how else {})


def zero3(mend: str = "") -> dict[str, Any]:
    """Load what the Trainer saves under ZeRO-3 without collecting the weights."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    join_ranks()
    parts = {"stage": 3, "stage3_gather_16bit_weights_on_model_save": False}
    settings: Any = {"train_micro_batch_size_per_gpu": 2, "zero_optimization": parts}
    settings |= {"gradient_clipping": 0.0, "zero_allow_untested_optimizer": True}
    options: Any = {
        "per_device_train_batch_size": 2,
        "optim": "sgd",
        "save_steps": 1,
        "report_to": [],
        "max_grad_norm": 0,
    }
    arguments = TrainingArguments("out", max_steps=1, deepspeed=settings, use_cpu=True, **options)
    rows: Any = [{"input_ids": [5, 6, 7, 8], "labels": [5, 6, 7, 8]}] * 2
    trainer: Any = Trainer(tiny_llama(), arguments, train_dataset=rows)
    trainer.train()
    known = loss_of(trainer.model)
    forget: Any = unset_hf_deepspeed_config  # it has no types
    forget()  # a model is loaded as by another process
    Path("out/checkpoint-1").rename(CHECKPOINT)
    return mended(mend, CHECKPOINT, known)


def mended(mend: str, folder: str, known: float) -> dict[str, Any]:
    """Run the commands of the page, if any, look, and load."""
    if mend:
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        run_snippet(mend, env={"PATH": programs}).check_returncode()
    look(folder)
    return load(folder, known)


def fsdp(mend: str = "") -> dict[str, Any]:
    """Load a checkpoint of FSDP in parts, into which somebody copied config.json."""
    model = tiny_llama()
    model.config.save_pretrained(BASE)
    model.config.save_pretrained(CHECKPOINT)
    parts = f"{CHECKPOINT}/pytorch_model_fsdp_0"
    DCP.save({"model": model.state_dict()}, checkpoint_id=parts, no_dist=True)
    folder = MERGED if mend else CHECKPOINT
    if mend:
        snippet(mend)
    look(folder)
    return load(folder, loss_of(model))


def shards(mend: str = "", *, loads: bool = True) -> dict[str, Any]:
    """Load files that were downloaded without their index."""
    model = tiny_llama()
    model.save_pretrained(HERE, max_shard_size="40KB")
    Path(HERE, "model.safetensors.index.json").unlink()
    if mend:
        snippet(mend)
    look(HERE)
    return load(HERE, loss_of(model)) if loads else {}


def above(mend: str = "") -> dict[str, Any]:
    """Load with a model class from the folder above the checkpoint."""
    known = tiny_llama()
    known.save_pretrained(CHECKPOINT)
    model = snippet(mend)["model"] if mend else None
    look(CHECKPOINT if mend else "out")
    model = model or LlamaForCausalLM.from_pretrained("out")
    return {"off_by": abs(loss_of(model) - loss_of(known))}


def variant(mend: str = "") -> dict[str, Any]:
    """Load whole weights with a variant that their names lack."""
    known = tiny_llama()
    known.save_pretrained(HERE)
    look(HERE, *([] if mend else [("model.fp16.safetensors", "pytorch_model.fp16.bin")]))
    if mend:
        return {"off_by": abs(loss_of(snippet(mend)["model"].float()) - loss_of(known))}
    return load(HERE, loss_of(known), variant="fp16")


def repository() -> dict[str, Any]:
    """Load by name a repository of the Hub that holds only an adapter and config.json."""
    model = tiny_llama()
    model.config.save_pretrained("files")
    with local_hub({"team/model": Path("files").resolve()}):
        return load("team/model", loss_of(model))
