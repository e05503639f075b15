"""Generate in batches by a pipeline, and classify with a configuration inside another."""

from __future__ import annotations

from typing import Any

import torch
from failure import TEXTS
from transformers import Gemma3Config, Gemma3ForSequenceClassification, pipeline

from fixbook.recipe import snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer


def generate(*, page: bool) -> dict[str, Any]:
    """Generate from texts of different lengths in a batch, and from each by itself."""
    tokenizer = tiny_tokenizer()
    tokenizer.pad_token = None
    model = tiny_llama(vocab_size=len(tokenizer), pad_token_id=None)
    if page:
        snippet("inference", tokenizer=tokenizer)
    make: Any = pipeline
    pipe = make("text-generation", model=model, tokenizer=tokenizer)
    options = {"max_new_tokens": 8, "do_sample": False, "return_full_text": False}
    together = [out[0]["generated_text"] for out in pipe(TEXTS, batch_size=2, **options)]
    alone = [pipe(text, **options)[0]["generated_text"] for text in TEXTS]
    lengths = [len(tokenizer(text)["input_ids"]) for text in TEXTS]
    pads = max(lengths) - min(lengths)
    return {"asked": len(together), "same": together == alone, "pads": pads}


def classify_nested(*, page: bool) -> dict[str, Any]:
    """Classify two texts with a vision-language model, whose text part has a configuration."""
    sizes: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    sizes |= {"num_attention_heads": 4}
    text = sizes | {"vocab_size": 128, "num_key_value_heads": 2, "head_dim": 8}
    image = sizes | {"image_size": 28, "patch_size": 14}
    config: Any = Gemma3Config(text_config=text | {"pad_token_id": None}, vision_config=image)
    torch.manual_seed(0)
    load: Any = Gemma3ForSequenceClassification
    model = load(config).eval()
    tokenizer = tiny_tokenizer()
    if page:
        snippet("classifier", tokenizer=tokenizer, model=model, folder="nested")
    else:
        model.config.pad_token_id = tokenizer.pad_token_id
    batch = tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
    return {"shape": list(logits.shape), "outer": getattr(model.config, "pad_token_id", None)}
