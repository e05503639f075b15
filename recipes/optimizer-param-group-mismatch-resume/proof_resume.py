"""What is measured: a run that was resumed, beside the one that went on."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import torch
from failure import (
    IDS,
    SAVED,
    base,
    frozen,
    frozen_table,
    load_state,
    loop_of,
    lora,
    optimizer_of,
    restore_both,
    trainer_of,
)
from peft import LoraConfig, get_peft_model

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def loss_of(model: Any) -> float:
    """Return the loss on what is trained."""
    with torch.no_grad():
        ids = IDS.to(model.device)
        return float(model.eval()(input_ids=ids, labels=ids).loss)


def rates(trainer: Any) -> list[float]:
    """Return the learning rates that were logged."""
    logged = trainer.state.log_history
    return [row["learning_rate"] for row in logged if "learning_rate" in row]


def went_on(modules: str = "q_proj v_proj") -> Any:
    """Train to the end; the checkpoint of step 4 is left."""
    tiny_llama().save_pretrained("base")
    trainer = trainer_of(lora(modules))
    trainer.train()
    return trainer


def made(how: str, printed: str) -> Any:
    """Make the model to resume with."""
    if printed:
        modules = [] if how == "frozen" else how.split()
        settings = LoraConfig(r=4, target_modules=modules)
        return snippet(printed, base=base(), settings=settings)["model"]
    return frozen() if how == "frozen" else lora(how)


def resumed(how: str, *, printed: str = "", delete: bool = False) -> dict[str, Any]:
    """Resume at step 4, or begin anew; compare with the run that went on, and the checkpoint."""
    whole = went_on()
    known, saved = loss_of(whole.model), loss_of(frozen())
    if delete:
        Path(SAVED, "optimizer.pt").unlink()
    model = made(how, printed)
    start_off_by = abs(loss_of(model) - saved)
    measure(**ask(model), saved=Path(SAVED, "optimizer.pt").is_file())
    trainer = trainer_of(model)
    trainer.train(resume_from_checkpoint=None if printed == "merge" else SAVED)
    end = loss_of(trainer.model)
    return {
        "steps": trainer.state.global_step,
        "base": model.peft_config["default"].base_model_name_or_path,
        "last_rate": rates(trainer)[-1],
        "known_rate": rates(whole)[-1],
        "off_by": abs(end - known),
        "start_off_by": start_off_by,
        "learnt": saved - end,
    }


def ask(model: Any) -> dict[str, Any]:
    """Ask the page's question of a model and the checkpoint."""
    said = snippet("compare", model=model)
    other, trainable = said["other"], said["trainable"]
    return {"found": bool(other) or not trainable, "other": len(other), "trainable": trainable}


def usual_adapters() -> dict[str, Any]:
    """Ask it of adapters of several kinds, each beside what it has saved."""
    tiny_llama().save_pretrained("base")
    kinds: list[dict[str, Any]] = [
        {"use_rslora": True},
        {"use_dora": True},
        {"modules_to_save": ["lm_head"]},
        {"target_modules": ["q_proj", "embed_tokens"]},
    ]
    found = []
    for kind in kinds:
        model = get_peft_model(base(), LoraConfig(**{"r": 4, "target_modules": ["q_proj"]} | kind))
        model.save_pretrained(SAVED)
        found.append(ask(model)["found"])
    return {"found": any(found), "asked": len(found)}


def loaded(make: Any) -> dict[str, Any]:
    """Load the Trainer's state into an optimizer that is made so."""
    went_on()
    optimizer = load_state(make)
    return {"groups": len(optimizer.param_groups), "loaded": len(optimizer.state)}


def as_the_trainer(trainer: Any) -> Any:
    """Run the page's line."""
    return snippet("groups", trainer=trainer)["optimizer"]


def weights_of_file(model: Any, optimizer: Any) -> None:
    """Run the page's lines, which leave the optimizer alone."""
    snippet("weights", model=model)
    measure(states=len(optimizer.state))


def trained_in_part(*, printed: bool = False) -> dict[str, Any]:
    """Go on with the file of a loop after the embedding was frozen."""
    tiny_llama().save_pretrained("base")
    whole = base().to(device())
    loop_of(whole, 20, "last.pt")
    saved, model = loss_of(whole), frozen_table()
    measure(saved=saved, frozen=sum(not p.requires_grad for p in model.parameters()))
    loop_of(model, 0, restore=weights_of_file if printed else restore_both)
    start_off_by = abs(loss_of(model) - saved)
    loop_of(model, 20)
    return {"start_off_by": start_off_by, "learnt": saved - loss_of(model)}


def step_past(*, fused: bool) -> None:
    """Load the state of another shape, and step."""
    saved, optimizer = optimizer_of(4, fused=fused), optimizer_of(2**24, fused=fused)
    saved.step()
    optimizer.load_state_dict(saved.state_dict())
    measure(loaded=len(optimizer.state))
    try:
        optimizer.step()
    except RuntimeError as error:
        measure(error=str(error))


def stepped(*, fused: bool) -> dict[str, Any]:
    """Do so in a process of its own, and see whether it is killed."""
    fork: Any = multiprocessing.get_context("fork")
    process = fork.Process(target=step_past, kwargs={"fused": fused})
    process.start()
    process.join()
    return {"found": process.exitcode < 0, "exit_code": process.exitcode}
