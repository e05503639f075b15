"""What is saved and what is refused, and the page's check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import failure
import torch
import transformers

from fixbook.recipe import device, measure, snippet

SOUND: tuple[dict[str, Any], ...] = (
    {},
    {"do_sample": True, "temperature": 0.6, "top_p": 0.95, "top_k": 20},
    {"do_sample": False, "temperature": 1.0, "top_p": 1.0},
    {"num_beams": 4, "early_stopping": True, "length_penalty": 2.0},
    {"max_new_tokens": 64, "repetition_penalty": 1.05},
)


def saved(save: Any) -> dict[str, Any]:
    """Save by a function, and tell which files there are, even if it raises."""
    try:
        save("saved")
    finally:
        files = {path.name for path in Path("saved").iterdir()} if Path("saved").exists() else set()
        measure(weights="model.safetensors" in files)
        measure(generation="generation_config.json" in files)
    return {}


def trained(
    values: dict[str, Any] = failure.LLAMA_2,
    *,
    mend: str = "",
    mend_file: bool = False,
    sample_in_generate: bool = False,
    use: bool = False,
) -> dict[str, Any]:
    """Train the base model and save it.

    Args:
        values: What its generation_config.json holds.
        mend: The snippet of the page to run on the loaded model.
        mend_file: Run the page's lines on the file, before it is loaded.
        sample_in_generate: Give do_sample=True to generate instead.
        use: Generate after it is saved.
    """
    failure.base(values)
    if mend_file:
        snippet("file")
    model = failure.load()
    if mend:
        snippet(mend, model=model)
    trainer = failure.train(model, cpu=device() == "cpu")
    measure(pad=model.generation_config.pad_token_id)
    if sample_in_generate:
        out = model.generate(model.dummy_inputs["input_ids"], do_sample=True, max_new_tokens=2)
        measure(sampled=int(out.shape[1] - model.dummy_inputs["input_ids"].shape[1]))
    saved(trainer.save_model)
    if not use:
        return {}
    ids = torch.tensor([[4, 5, 6]], device=model.device)
    told: dict[str, Any] = {"attention_mask": torch.ones_like(ids), "max_new_tokens": 2}
    return {"generated": model.generate(ids, **told).shape[1] - ids.shape[1]}


def as_loaded(*, mend: str = "") -> dict[str, Any]:
    """Save the base model as it was loaded, and tell whether its generation file is there.

    Args:
        mend: The snippet of the page to run on it before.
    """
    measure(release=transformers.__version__)
    failure.base(failure.LLAMA_2)
    model = failure.load()
    if mend:
        snippet(mend, model=model)
    return saved(model.save_pretrained)


def left_out() -> dict[str, Any]:
    """Save it so where nothing raises, and see whether the file was left out."""
    as_loaded()
    return {"found": not Path("saved/generation_config.json").exists()}


def asked(values: dict[str, Any] = failure.LLAMA_2, *, mend: str = "") -> dict[str, Any]:
    """Put the page's question to a loaded model."""
    failure.base(values)
    model = failure.load()
    if mend:
        snippet(mend, model=model)
    refused = snippet("ask", model=model)["refused"]
    return {"found": bool(refused)}


def asked_sound_ones() -> dict[str, Any]:
    """Put it to models that can be saved."""
    return {"found": any(asked(values)["found"] for values in SOUND), "asked": len(SOUND)}
