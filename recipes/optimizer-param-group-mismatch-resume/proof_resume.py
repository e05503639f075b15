"""What is measured: a run that was resumed, beside the one that went on."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import torch
from failure import IDS, SAVED, base, frozen, lora, optimizer_of, trainer_of
from peft import LoraConfig

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama


def loss_of(model: Any) -> float:
    """Return the loss on what is trained."""
    with torch.no_grad():
        return float(model.eval()(input_ids=IDS, labels=IDS).loss)


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
    other = snippet("other-names")["other_names"](model, SAVED)
    measure(found=bool(other), other=len(other), saved=Path(SAVED, "optimizer.pt").is_file())
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


def moved_state(
    *, size: int = 4, groups: int = 1, fused: bool = False, step: bool = False
) -> dict[str, Any]:
    """Load the state of a small weight into an optimizer of another one."""
    saved = optimizer_of(4, fused=fused)
    saved.step()
    optimizer = optimizer_of(size, groups=groups, fused=fused)
    other = snippet("other-shapes")["other_shapes"](optimizer, saved.state_dict())
    optimizer.load_state_dict(saved.state_dict())
    measure(found=bool(other), loaded=len(optimizer.state))
    if step:
        optimizer.step()
    return {}


def step_past(*, fused: bool) -> None:
    """Load the state of another shape, and step."""
    try:
        moved_state(size=2**24, fused=fused, step=True)
    except RuntimeError as error:
        measure(error=str(error))


def stepped(*, fused: bool) -> dict[str, Any]:
    """Do so in a process of its own, and see how that ends."""
    fork: Any = multiprocessing.get_context("fork")
    process = fork.Process(target=step_past, kwargs={"fused": fused})
    process.start()
    process.join()
    return {"exit_code": process.exitcode}
