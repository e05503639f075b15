"""Hand things over to generate, as scripts do and as the page says."""

from __future__ import annotations

import tempfile
from typing import Any

import torch
import transformers
from failure import (
    IDS,
    SAID,
    TEXT,
    chat,
    generate,
    llama,
    picture,
    picture_model,
    seq2seq,
    text_model,
    tokenizer,
)

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_lora

OF_A_SERVER = {"max_tokens": 4, "stop": ["reads"], "repeat_penalty": 1.2}


def chatted(mend: str = "", *, segments: bool = True, **options: Any) -> dict[str, Any]:
    """Answer a conversation, with the tokenizer as it is or as a snippet leaves it."""
    tokens = tokenizer(segments=segments)
    if mend:
        snippet(mend, tokenizer=tokens)
    inputs = chat(tokens, **options)
    # A template that prints the argument shows whether it is the template that gets it.
    shown = {"chat_template": "{{ return_token_type_ids }}", "tokenize": False}
    printed = tokens.apply_chat_template(SAID, **shown, **options)
    measure(names=sorted(inputs), template_got=printed)
    new = generate(llama(), inputs).shape[1] - inputs["input_ids"].shape[1]
    return {"new_tokens": new}


def served(mend: str = "") -> dict[str, Any]:
    """Generate with the arguments of a server, or with those of the snippet."""
    model, tokens = llama(), tokenizer(segments=False)
    inputs = chat(tokens)
    if mend:
        output = snippet(mend, model=model, inputs=inputs, tokenizer=tokens)["output"]
    else:
        output = model.generate(**inputs, **OF_A_SERVER)
    return {"new_tokens": output.shape[1] - inputs["input_ids"].shape[1]}


def batched(mend: str = "") -> dict[str, Any]:
    """Hand over a batch of a data set, which has a column of one's own, to a model with LoRA."""
    model = tiny_lora(llama())
    batch = TEXT | {"prompt_length": torch.tensor([6])}
    output = snippet(mend, model=model, batch=batch)["output"] if mend else generate(model, batch)
    return {"new_tokens": output.shape[1] - IDS.shape[1]}


def seen(model: Any) -> dict[str, Any]:
    """Ask about two pictures that differ, and compare what the model thinks of the next token."""
    options = {"return_dict_in_generate": True, "output_scores": True}
    first, second = (generate(model, picture(scale), **options).scores[0] for scale in (1.0, -3.0))
    return {"difference": float((first - second).abs().max()), "model": type(model).__name__}


def pictured(mend: str = "", *, check: bool = True) -> dict[str, Any]:
    """Give pictures to a model of text, or to the one that a snippet loads from a folder."""
    if mend:
        with tempfile.TemporaryDirectory() as folder:
            picture_model().save_pretrained(folder)
            return seen(snippet(mend, folder=folder)["model"].eval())
    model = text_model()
    if not check:
        model._validate_model_kwargs = lambda _kwargs: None
    measure(switched_off="_validate_model_kwargs" in vars(model))
    return seen(model)


def asked(model: Any, given: Any) -> list[str]:
    """Ask which names the model does not take, as the page does."""
    return list(snippet("ask", model=model, given=given)["unknown"])


def asked_of(mend: str = "", *, sound: bool = False) -> dict[str, Any]:
    """Ask about what a chat template gives, or about three families whose inputs are right."""
    if sound:
        unknown = []
        for model, given in ((llama(), TEXT), (seq2seq(), TEXT), (picture_model(), picture())):
            unknown += asked(model, given | {"max_new_tokens": 4, "do_sample": False})
            generate(model, given)
        return {"found": bool(unknown), "unknown": unknown}
    tokens = tokenizer()
    if mend:
        snippet(mend, tokenizer=tokens)
    unknown = asked(tiny_lora(llama()), dict(chat(tokens)) | {"max_new_tokens": 4})
    return {"found": bool(unknown), "unknown": unknown}


def asked_of_settings() -> dict[str, Any]:
    """Ask about the settings of the snippet, which generate takes, with the tokenizer they need."""
    model, tokens = llama(), tokenizer(segments=False)
    inputs = chat(tokens)
    done = snippet("arguments", model=model, inputs=inputs, tokenizer=tokens)
    unknown = asked(model, dict(inputs) | done["options"] | {"tokenizer": tokens})
    new = done["output"].shape[1] - inputs["input_ids"].shape[1]
    return {"found": bool(unknown), "unknown": unknown, "new_tokens": new}


def configured(name: str) -> dict[str, Any]:
    """Put a name into a GenerationConfig, generate with it, and ask about the name."""
    model = llama()
    options = {name: 4}
    config = transformers.GenerationConfig(**options, do_sample=False)
    new = model.generate(**TEXT, generation_config=config).shape[1] - IDS.shape[1]
    return {"found": bool(asked(model, options)), "new_tokens": new}


def segments_of_gpt2() -> dict[str, Any]:
    """Hand token_type_ids to a GPT-2, which takes them, and compare its logits."""
    sizes = {"vocab_size": 64, "n_embd": 32, "n_layer": 1, "n_head": 2}
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)).eval()
    given = TEXT | {"token_type_ids": torch.zeros_like(IDS)}
    off_by = (model(**TEXT).logits - model(**given).logits).abs().max()
    return {"found": bool(off_by > 0), "off_by": float(off_by)}
