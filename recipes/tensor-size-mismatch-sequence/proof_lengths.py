"""Batches of other lengths than their positions, what is right, and the page's code."""

from __future__ import annotations

from typing import Any

import torch
import transformers as hf
from failure import SEEN, WHOLE, answer, bert, encode, generated, llama, packed, read

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer


def whole_mask(
    model: Any, input_ids: Any, cache: Any, cached_mask: torch.Tensor, new_mask: torch.Tensor
) -> Any:
    """Run the page's lines."""
    masks = {"cached_mask": cached_mask, "new_mask": new_mask}
    return snippet("whole-mask", model=model, input_ids=input_ids, cache=cache, **masks)["output"]


def no_mask(model: Any, input_ids: Any, cache: Any, *_masks: Any) -> Any:
    """Generate without a mask."""
    return model.generate(input_ids, past_key_values=cache)


def pad_first(sizes: list[int], length: int) -> Any:
    """Run the page's lines."""
    return snippet("pad-first", sizes=sizes, length=length)["mask"]


def as_long(batch: Any) -> Any:
    """Run the page's lines."""
    return snippet("positions", batch=dict(batch))["batch"]


def chat(**changes: Any) -> dict[str, Any]:
    """Answer the second turn, and count the rows that are answered as they are alone."""
    model = llama()
    answers = answer(model, **changes)
    measure(on_padding=attention_on_padding(**changes))
    return {"right": sum(got == alone(model, row) for row, got in enumerate(answers))}


def alone(model: Any, row: int) -> list[int]:
    """Return what the model answers to one row without its padding, and without a cache."""
    ids = WHOLE[row, SEEN[row].bool()][None].to(device())
    out = model.generate(ids, attention_mask=torch.ones_like(ids))
    return [int(token) for token in out[0, ids.shape[1] :]]


def attention_on_padding(**changes: Any) -> float:
    """Return how much of the last token's attention goes to padding in the second turn."""
    model = llama(attn_implementation="eager")
    seen: list[torch.Tensor] = []
    model.model.layers[0].self_attn.register_forward_hook(lambda *call: seen.append(call[2][1]))
    answer(model, **changes)
    return seen[1][0, :, -1, :3].sum(-1).max().item()  # [0] is the first turn


def pack(**changes: Any) -> dict[str, float]:
    """Read the packed row, and compare the second document with what it is alone."""
    got = packed(llama(), **changes)[:, 3:7]
    return {"off_by": off_by(got, torch.tensor([[20, 21, 22, 23]]))}


def cut(**changes: Any) -> dict[str, float]:
    """Read a text that was cut to eight tokens after it got eleven positions."""
    batch = {"input_ids": WHOLE[1:, :8], "position_ids": torch.arange(11)[None]}
    return {"off_by": off_by(read(llama(), batch, **changes), WHOLE[1:, :8])}


def collated(**changes: Any) -> dict[str, float]:
    """Read a text that a collator padded to eight tokens, with its five positions."""
    ids = [5, 6, 7, 8, 9]
    row = {"input_ids": ids, "attention_mask": [1] * 5, "labels": ids, "position_ids": [*range(5)]}
    batch = hf.DataCollatorForSeq2Seq(tiny_tokenizer(), pad_to_multiple_of=8)([row])
    return {"off_by": off_by(read(llama(), batch, **changes)[:, :5], WHOLE[:1, 3:8])}


def off_by(logits: torch.Tensor, ids: torch.Tensor) -> float:
    """Return how far logits are from those of a text alone, with the model's own positions."""
    with torch.no_grad():
        wanted = llama()(input_ids=ids.to(device())).logits
    return (logits - wanted).abs().max().item()


def eval_mode(model: Any, ids: Any, mask: Any) -> Any:
    """Run the page's lines."""
    return snippet("eval-mode", model=model, input_ids=ids, mask=mask)["output"]


def no_cache(model: Any, ids: Any, mask: Any) -> Any:
    """Generate without a cache."""
    return model.generate(ids, attention_mask=mask, use_cache=False)


def trained(*, generate: Any = generated) -> dict[str, Any]:
    """Generate in a training under checkpointing, and compare with the model at rest."""
    model, ids = llama(), WHOLE[1:].to(device())
    mask = torch.ones_like(ids)
    wanted = model.generate(ids, attention_mask=mask)[0, ids.shape[1] :]
    model.gradient_checkpointing_enable()
    got = generate(model.train(), ids, mask)[0, ids.shape[1] :]
    same = (got == wanted[: len(got)]).float().mean().item() if len(got) == len(wanted) else 0.0
    return {"found": same < 1, "same_words": same}


TEXT = "the model reads a text, and the loss goes down " * 4


def shorter(tokenizer: Any, model: Any, text: str) -> Any:
    """Run the page's lines."""
    return snippet("shorter-text", tokenizer=tokenizer, model=model, text=text)["inputs"]


def long(*, types: bool = False, **changes: Any) -> dict[str, int]:
    """Encode a text that is too long, and count its tokens.

    Args:
        types: Whether the tokenizer returns token_type_ids, as BERT's does.
        **changes: For `encode`.
    """
    tokenizer = tiny_tokenizer()
    names = ["input_ids", *(["token_type_ids"] if types else []), "attention_mask"]
    tokenizer.model_input_names = names
    return {"tokens": encode(tokenizer, bert(), TEXT, **changes).shape[1]}


def check(run: Any, model: Any = None, **changes: Any) -> dict[str, Any]:
    """Run it with the check of the page on the model."""
    model = model or llama()
    snippet("check-lengths", model=model)
    try:
        run(model, **changes)
    except ValueError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def check_usual_calls() -> dict[str, Any]:
    """Generate with a padded batch: full and sliding attention, a growing and a static cache."""
    small: dict[str, Any] = {"head_dim": 8, "num_key_value_heads": 4, "sliding_window": 4}
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 64}
    gemma: Any = hf.Gemma2ForCausalLM(hf.Gemma2Config(num_attention_heads=4, **size, **small))
    gemma.generation_config.update(max_new_tokens=6, do_sample=False)
    found = []
    for model in (llama(), gemma.eval()):
        for cache in (None, "static"):

            def run(model: Any, cache: str | None = cache) -> None:
                model.generate(WHOLE, attention_mask=SEEN, cache_implementation=cache)

            found.append(check(run, model)["found"])
    return {"found": any(found), "calls": len(found)}
