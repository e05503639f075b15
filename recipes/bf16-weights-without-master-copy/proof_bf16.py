"""How many weights a training run has changed, and in which dtype its optimizer held them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import failure
import torch
from peft import LoraConfig, get_peft_model

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def kept(optimizer: Any) -> int:
    """Return the bytes of the weights that an optimizer steps, and of its state."""
    held = [p for group in optimizer.param_groups for p in group["params"]]
    states = [t for state in optimizer.state.values() for t in state.values()]
    tensors = [t for t in held + states if isinstance(t, torch.Tensor) and t.dim()]
    return sum(t.numel() * t.element_size() for t in tensors)


def run(model: Any, **options: Any) -> dict[str, Any]:
    """Train a model with the page's callback, and compare it with what it was."""
    before = {name: p.detach().cpu().clone() for name, p in model.named_parameters()}
    callback = snippet("dtypes")["PrintDtypes"]()
    trainer = failure.train(model.to(device()), [callback], cpu=device() == "cpu", **options)
    now = {name: p for name, p in model.named_parameters() if p.requires_grad}
    changed = sum(int((p.detach().cpu() != before[name]).sum()) for name, p in now.items())
    of = sum(p.numel() for p in now.values())
    measure(bf16=trainer.args.bf16, release=version("transformers"))
    return {
        "found": any(name != "torch.float32" for name in callback.held),
        "held": ", ".join(sorted(callback.held)),
        "moved": 100 * changed / of,
        "loss": trainer.evaluate()["eval_loss"],
        "bytes_each": kept(trainer.optimizer) / of,
    }


def tuned(
    *,
    page: bool = False,
    dtype: Any = None,
    adapter: bool = False,
    head: bool = False,
    cast: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Fine-tune the checkpoint.

    Args:
        page: Load it by the page's lines.
        dtype: Load it with this, by the name that transformers 4 knows too.
        adapter: Train a LoRA on it instead of all weights.
        head: Train the output layer with the adapter, whole.
        cast: Convert what is trained to float32, by the page's lines.
        **options: Settings of the Trainer.
    """
    failure.save()
    if page:
        said = snippet("float32", folder="model", options={"use_cpu": device() == "cpu"})
        return run(said["model"], bf16=said["arguments"].bf16, **options)
    model = failure.load(**({"torch_dtype": dtype} if dtype else {}))
    if adapter:
        config = LoraConfig(
            target_modules=["q_proj"], modules_to_save=["lm_head"] if head else None
        )
        model = snippet("lora", model=model, config=config)["model"]
    if cast:
        snippet("cast", model=model)
    return run(model, **options)


def sound_ones() -> dict[str, Any]:
    """Ask the page's check about other runs that keep float32."""
    found = [run(tiny_llama(vocab_size=64))["found"]]
    failure.save(torch.float32)
    found.append(run(failure.load(), bf16=True)["found"])
    failure.save()
    found.append(run(get_peft_model(failure.load(), LoraConfig(use_dora=True)))["found"])
    return {"found": any(found), "asked": len(found)}
