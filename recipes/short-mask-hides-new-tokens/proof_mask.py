"""What a short mask does to the result, and what the check of the page says of masks."""

from __future__ import annotations

from typing import Any

import torch
from failure import ANSWERS, FIRST, PROMPT, TURN, chat, learn, llama, soft_prompt

from fixbook.recipe import device, measure, snippet


def checked() -> Any:
    """Build the model with the check of the page on it."""
    model = llama().to(device())
    snippet("whole-mask", model=model)
    return model


def whole(run: Any) -> torch.Tensor:
    """Make the mask that the page says; for the next turn of a chat, by its own line."""
    if run is chat:
        return snippet("next-turn", torch=torch, mask=torch.ones_like(FIRST), turn=TURN)["mask"]
    if run is soft_prompt:
        return torch.nn.functional.pad(torch.ones_like(FIRST), (3, 0), value=1)
    return torch.ones_like(torch.cat([PROMPT, ANSWERS], 1))


def said(run: Any, mask: Any) -> dict[str, Any]:
    """Run it with the check of the page on the model."""
    try:
        run(checked(), mask)
    except ValueError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def off_by(run: Any, *, extended: bool = False) -> dict[str, Any]:
    """Measure how far the logits are off, and ask the check."""
    mask = whole(run) if extended else None
    off_by_logits(run, mask)
    return said(run, mask)


def off_by_logits(run: Any, mask: Any = None) -> float:
    """Return how far the logits are from those without cache or mask."""
    model = llama().to(device())
    with torch.no_grad():
        text = {"input_ids": torch.cat([FIRST, TURN], 1).to(device())}
        wanted = model(**(text if run is chat else embeds(model))).logits[:, -1]
    got = run(model, mask)
    apart = float((got - wanted).abs().max())
    measure(off_by=apart, same_word=bool(got.argmax() == wanted.argmax()))
    return apart


def embeds(model: Any) -> dict[str, Any]:
    """Return what the soft prompt and its text are made into."""
    vectors = torch.sin(torch.arange(96.0)).reshape(1, 3, 32).to(model.device)
    text = model.get_input_embeddings()(FIRST.to(model.device))
    return {"inputs_embeds": torch.cat([vectors, text], 1)}


def trained(*, extended: bool = False) -> dict[str, Any]:
    """Train, and ask the check."""
    mask = whole(learn) if extended else None
    measure(loss=learn(llama().to(device()), mask))
    return said(learn, mask)


def attempt() -> dict[str, Any]:
    """Take the second turn of the chat, and see whether it is refused."""
    try:
        return off_by(chat)
    except RuntimeError as error:
        measure(error=str(error))
        return {"found": False}


def harm(run: Any) -> dict[str, Any]:
    """Tell whether a mask that ends too early changes the result."""
    return {"found": off_by_logits(run) > 0.5}


def sound_masks() -> dict[str, Any]:
    """Ask the check of masks that are right: generation, caches, padding, PEFT's soft prompt."""
    from peft import PromptTuningConfig, get_peft_model
    from transformers import T5Config, T5ForConditionalGeneration

    text = FIRST.to(device())
    ones = torch.ones_like(text)
    padded = torch.nn.functional.pad(ones[:, :6], (2, 0))
    four = torch.ones(1, 1, 8, 8, dtype=torch.bool, device=device()).tril()
    prompt = PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3)
    new: dict[str, Any] = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0}
    ways: dict[str, Any] = {
        "no mask": lambda model: model(input_ids=text),
        "four dimensions": lambda model: model(input_ids=text, attention_mask=four),
        "padded": lambda model: model.generate(text, attention_mask=padded, **new),
        "static cache": lambda model: model.generate(
            text, attention_mask=ones, cache_implementation="static", **new
        ),
        "prompt tuning": lambda model: get_peft_model(model, prompt)(
            input_ids=text, attention_mask=ones
        ),
        "encoder and decoder": lambda _: both.generate(text, attention_mask=ones, **new),
    }
    sizes: dict[str, Any] = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 1, "num_heads": 4}
    both = T5ForConditionalGeneration(T5Config(vocab_size=64, decoder_start_token_id=0, **sizes))
    snippet("whole-mask", model=both.to(device()))
    stopped = []
    for name, way in ways.items():
        try:
            way(checked())
        except ValueError as error:
            stopped.append(f"{name}: {error}")
    return {"found": bool(stopped), "stopped": stopped, "asked": len(ways)}
