"""Files and models whose tables have other rows, and how far their losses are apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from failure import (
    TAGS,
    grown,
    load_adapter,
    load_model,
    lora,
    loss_of,
    read_base,
    read_for,
    read_model,
    train,
)
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    Gemma2Config,
    GPT2Config,
    GPTNeoXConfig,
    Qwen2Config,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

FILE = "adapter/adapter_model.safetensors"
WIDE: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
}


def trained(*, tables: str = "") -> Any:
    """Train the grown model whole, or an adapter on it, and save it beside the base."""
    tiny_llama().save_pretrained("base")
    model = train(lora(grown("base"), tables=tables) if tables else grown("base"))
    where = {"save_embedding_layers": False} if tables == "by LoRA alone" else {}
    model.save_pretrained("adapter" if tables else "trained", **where)
    return model


def rows_of(model: Any) -> int:
    """Return the rows of the embedding."""
    return int(model.get_input_embeddings().weight.shape[0])


def compared(model: Any, known: Any) -> dict[str, Any]:
    """Compare the losses of two models on the tags that both have."""
    tags = TAGS[min(rows_of(model), rows_of(known)) > TAGS]
    with torch.no_grad():
        off_by = abs(float(loss_of(model, tags) - loss_of(known, tags)))
    return {"rows": rows_of(model), "off_by": off_by}


def adapter_on_base(
    *,
    tables: str = "trained",
    rows: int | None = None,
    ignore: bool = False,
    as_printed: bool = False,
) -> dict[str, Any]:
    """Load the adapter onto the base; ``as_printed``: with the code of the page."""
    known = trained(tables=tables)
    base = read_base("base", rows=rows)
    measure(rows_before=rows_of(base))
    if as_printed:
        model = snippet("resize", base=base)["model"]
        return compared(model, known) | rows_in_file(model)
    return compared(load_adapter(base, "adapter", ignore=ignore), known)


def model_from(config: str, *, ignore: bool = False) -> dict[str, Any]:
    """Read the trained model with the configuration of that folder."""
    known = trained()
    return compared(load_model("trained", config, ignore=ignore), known)


def more_tokens(*, as_printed: bool = False) -> dict[str, Any]:
    """Read the base for a tokenizer of 130 tokens; ``as_printed``: with the code of the page."""
    tiny_llama().save_pretrained("base")
    if not as_printed:
        return compared(read_for(range(130), "base"), read_base("base"))
    given = {"AutoModelForCausalLM": AutoModelForCausalLM, "tokenizer": range(130)}
    model = snippet("resize-after", **given)["model"].to(device())
    known = read_base("base")
    ids = torch.tensor([[2, 5, 9]]).to(known.device)
    with torch.no_grad():
        old = model(input_ids=ids).logits[..., : rows_of(known)]
        off_by = float((old - known(input_ids=ids).logits).abs().max())
    return {"rows": rows_of(model), "off_by": off_by}


def rows_in_file(model: Any, file: str = FILE) -> dict[str, Any]:
    """Compare the rows in a file with those of the model."""
    rows = set(snippet("table-rows")["table_rows"](file).values())
    return {"found": rows != {rows_of(model)}, "in_file": max(rows)}


def rows_on(read: Any) -> dict[str, Any]:
    """Compare the rows of the adapter's file with those of a model read from the base."""
    trained(tables="trained")
    return rows_in_file(read("base"))


def rows_of_usual_models() -> dict[str, Any]:
    """Save models of four families, and compare the rows of each file with its model."""
    usual: list[Any] = [
        GPT2Config(n_embd=32, n_layer=1, n_head=4, vocab_size=101),
        GPTNeoXConfig(**WIDE, vocab_size=103),
        Qwen2Config(**WIDE, vocab_size=107, tie_word_embeddings=True),
        Gemma2Config(**WIDE, vocab_size=109),
    ]
    models = [AutoModelForCausalLM.from_config(one) for one in usual]
    for model in models:
        model.save_pretrained(model.config.model_type)
    files = [(model, f"{model.config.model_type}/model.safetensors") for model in models]
    unlike = [model for model, file in files if rows_in_file(model, file)["found"]]
    return {"found": bool(unlike), "unlike": len(unlike), "of": len(models)}


def load_state_dict(*, as_printed: bool = False) -> dict[str, Any]:
    """Load trained weights into the base with strict=False; ``as_printed``: the page's lines."""
    known = trained()
    model, state = read_base("base"), known.state_dict()
    if as_printed:
        snippet("resize-before", model=model, state=state)
        return compared(model, known)
    model.load_state_dict(state, strict=False)
    return {}


def read_edited_base() -> dict[str, Any]:
    """Read the base with another vocab_size in its config.json; its weights still have 128 rows."""
    tiny_llama().save_pretrained("base")
    file = Path("base", "config.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"vocab_size": 192}))
    measure(vocab_size=AutoConfig.from_pretrained("base").vocab_size)
    return {"rows": rows_of(read_base("base"))}


def read_smaller() -> dict[str, Any]:
    """Read weights of 192 rows with a configuration that says 128."""
    tiny_llama(vocab_size=192).save_pretrained("trained")
    read_model("trained", vocab_size=128)
    return {}
