"""What the page offers, run as printed."""

from __future__ import annotations

from typing import Any

import torch
from failure import NEW, gpt2, learn, llama, lora, roberta
from transformers import BertConfig, BertModel, OPTConfig, OPTModel

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def grown(model: Any) -> None:
    """Grow the table as the page does, for a tokenizer of 130 tokens."""
    snippet("grow-the-table", model=model, tokenizer=range(130))


def cloned(ids: Any) -> Any:
    """Make labels as the page does."""
    return snippet("clone-the-labels", input_ids=ids, prompt_length=3)["labels"]


def end_as_pad(tokenizer: Any) -> None:
    """Take a token that has a row for padding, as the page does."""
    snippet("take-a-token-that-is-there", tokenizer=tokenizer)


def cut(model: Any, tokenizer: Any, texts: list[str]) -> Any:
    """Cut texts to the positions as the page does."""
    return snippet("cut-the-text", model=model, tokenizer=tokenizer, texts=texts)["batch"]


def truncated(model: Any, tokenizer: Any, texts: list[str]) -> Any:
    """Cut texts to whatever limit the tokenizer knows."""
    measure(cut_to_positions=tokenizer.model_max_length <= model.config.max_position_embeddings)
    measure(truncation=True)
    return tokenizer(texts, truncation=True, return_tensors="pt")


def without_kinds(batch: dict[str, Any]) -> None:
    """Leave out what tells two texts apart, as the page does."""
    snippet("leave-out-the-kinds", batch=batch)


def added(*, grow: Any = None, clamp: bool = False) -> dict[str, Any]:
    """Learn two added tokens, and measure the loss at the end and how different the two are."""
    model = llama(grow=grow)
    table = model.get_input_embeddings()
    measure(rows=table.num_embeddings)
    table.register_forward_pre_hook(lambda _, ids: measure(highest=ids[0].max().item()))
    return {"loss": learn(model, clamp=clamp)}


def adapted(**changes: Any) -> dict[str, Any]:
    """Learn the two added tokens with LoRA, and ask what the page asks of the new rows."""
    model = lora(llama(grow=grown), **changes)
    model.enable_input_require_grads()  # as gradient checkpointing does; the question survives it
    asked = snippet("new-rows", model=model, new=list(NEW))
    return {"found": asked["frozen"], "loss": learn(model)}


def check(model: Any, **batch: Any) -> dict[str, Any]:
    """Run one batch inside the check of the page; a GPU is of use afterwards."""
    said = ""
    try:
        snippet("check-indices", model=model, batch=batch)
    except IndexError as error:
        said = str(error)
    works = torch.ones(4, device=device()).sum().item() == 4
    return {"found": "in a table of" in said, "said": said, "device_works": works}


def check_sound_models() -> dict[str, Any]:
    """Run the check on batches that fill the tables of five families, and on an empty one."""
    size: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    bert = BertModel(BertConfig(vocab_size=128, max_position_embeddings=16, **size))
    opt = {"ffn_dim": 64, "word_embed_proj_dim": 32, "max_position_embeddings": 16, **size}
    full = {"input_ids": torch.full((1, 16), 127)}
    sound: list[tuple[Any, dict[str, Any]]] = [
        (bert, full | {"token_type_ids": torch.ones(1, 16, dtype=torch.long)}),
        (OPTModel(OPTConfig(vocab_size=128, **opt)), full),
        (roberta().cpu(), {"input_ids": torch.full((1, 17), 127)}),
        (gpt2().cpu(), full),
        (tiny_llama(), full),
        (torch.nn.Embedding(4, 8), {"input": torch.zeros(0, dtype=torch.long)}),
    ]
    stopped = [check(model, **batch)["said"] for model, batch in sound]
    return {"found": any(stopped), "models": len(sound)}
