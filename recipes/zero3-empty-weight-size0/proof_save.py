"""Train, save, load and compare: what the steps do and measure."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from failure import IDS, load_whole, save_module, settings, train
from peft import PeftModel
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
from transformers.integrations.deepspeed import HfDeepSpeedConfig, unset_hf_deepspeed_config

from fixbook.recipe import device, measure, run_snippet, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama, tiny_lora

PLAIN: Any = {"pad_token_id": None}  # transformers 5 initialises no empty padding row


def trained(*, lora: bool = False, **changes: Any) -> Any:
    """Train the model, or adapters on it."""
    join_ranks()
    model = tiny_llama()
    return train(tiny_lora(model, init_lora_weights=False) if lora else model, **changes)


def loss_of(model: Any) -> float:
    """Return the loss of a batch."""
    ids = IDS.to(device())
    with torch.no_grad():
        return float(model(input_ids=ids, labels=ids).loss)


def run(how: str = "module", *, lora: bool = False, ignore: bool = False) -> dict[str, Any]:
    """Train, save, load in a plain model on rank 0, and compare the losses."""
    engine = trained(lora=lora, gather_on_save=how == "save")
    if how == "module":
        save_module(engine.module, "saved")
    elif how == "checkpoint":
        engine.save_checkpoint("out/checkpoint-2")
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
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        run_snippet("recover", env={"PATH": programs}).check_returncode()
        model = tiny_llama(seed=9)
        model.load_state_dict(torch.load("out/recovered/pytorch_model.bin"))
    else:
        model = read_saved(ignore=ignore)
    return {"loaded": True, "known": known, "off_by": abs(loss_of(model.to(device())) - known)}


def read_saved(*, ignore: bool = False) -> Any:
    """Load what was saved, in a plain model."""
    options: Any = {"ignore_mismatched_sizes": ignore, "output_loading_info": True}
    model, info = AutoModelForCausalLM.from_pretrained("saved", **options)
    measure(drawn_anew=len(info["mismatched_keys"]))
    return model


def listed() -> list[str]:
    """List with the page's code what is empty in the file of weights."""
    (file,) = Path("saved").glob("*model.*")
    return list(snippet("empty")["empty"](str(file)))


def by_trainer(how: str = "module") -> dict[str, Any]:
    """Train two steps with the Trainer, and save its model in one of three ways."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    join_ranks()
    rows = [{"input_ids": [5, 6, 7, 8], "labels": [5, 6, 7, 8]}] * 8
    options: Any = {"per_device_train_batch_size": 2, "optim": "sgd", "save_strategy": "no"}
    arguments = TrainingArguments(
        "out",
        max_steps=2,
        max_grad_norm=0,
        report_to=[],
        use_cpu=device() == "cpu",
        deepspeed=settings(gather_on_save=True),
        **options,
    )
    trainer: Any = Trainer(tiny_llama(), arguments, train_dataset=rows)
    trainer.train()
    if how == "module":
        save_module(trainer.model, "saved")
    elif how == "trainer":
        trainer.save_model("saved")
    else:
        state = trainer.accelerator.get_state_dict(trainer.model_wrapped)
        if dist.get_rank() == 0:
            trainer.model.save_pretrained("saved", state_dict=state)
    dist.barrier()
    rows = listed() if dist.get_rank() == 0 else []
    measure(rows=len(rows))
    unset_hf_deepspeed_config()  # what follows loads a plain model
    if dist.get_rank() == 0:
        read_saved()
    return {"found": bool(rows)}


def load(
    *, partition: bool, strict: bool = True, pretrained: bool = False, gather: bool = False
) -> dict[str, Any]:
    """Load whole weights before the training: a state dict, or with ``from_pretrained``."""
    join_ranks()
    saved = tiny_llama(**PLAIN)
    state = saved.state_dict()
    if pretrained:
        return load_by_transformers(state)
    if gather:
        return load_gathered(saved, state)
    model = load_whole(
        lambda: tiny_llama(seed=9, **PLAIN), state, partition=partition, strict=strict
    )
    losses = [loss_of(one.to(device())) for one in (model, saved)]
    return {"loaded": True, "off_by": abs(losses[0] - losses[1])}


def load_gathered(saved: Any, state: Any) -> dict[str, Any]:
    """Fill a partitioned model with the page's code, and compare what it computes."""
    with deepspeed.zero.Init(config_dict_or_path=settings(gather_on_save=True)):
        model = tiny_llama(seed=9, **PLAIN)
    snippet("load-gathered")["load_gathered"](model, state)
    measure(partitioned=model.lm_head.weight.numel() == 0)
    with deepspeed.zero.GatheredParameters([*model.parameters()]):
        return {"loaded": True, "off_by": abs(loss_of(model) - loss_of(saved.to(device())))}


def load_by_transformers(state: Any) -> dict[str, Any]:
    """Load the same weights with ``from_pretrained`` while ZeRO-3 partitions what is built."""
    if dist.get_rank() == 0:
        tiny_llama(**PLAIN).save_pretrained("whole")
    dist.barrier()
    hold: Any = HfDeepSpeedConfig  # its constructor has no types
    held = hold(settings(gather_on_save=True))
    weight = AutoModelForCausalLM.from_pretrained("whole").lm_head.weight
    measure(partitioned=held.is_zero3() and weight.numel() == 0)
    with deepspeed.zero.GatheredParameters([weight]):
        return {"loaded": torch.equal(weight.cpu(), state["lm_head.weight"])}


def ask(*, beside: bool) -> dict[str, Any]:
    """Let the engine save with the key in its place, or ``beside`` it."""
    engine = trained(gather_on_save=True, beside=beside)
    return {"found": not engine.save_16bit_model("saved", "pytorch_model.bin")}


def look(*, evaluate: bool = False, threshold: int = 0) -> dict[str, Any]:
    """Save the trained module, and list what is empty in the file."""
    save_module(trained(evaluate=evaluate, threshold=threshold).module, "saved")
    rows = listed()
    measure(rows=len(rows))
    return {"found": bool(rows)}
