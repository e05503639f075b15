"""Load copies in several releases, train with a template, and ask the page's question."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from failure import CHAT, CHATML, answer, copy, render, train
from transformers import AutoTokenizer

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

TEXTS = ["the model reads a text", "a loss goes down", "<|im_start|>user assistant\n<|im_end|>"]
# How other families end a turn: with a token of its own beside EOS, or with EOS.
GEMMA = (
    "{% for m in messages %}{{ '<start_of_turn>' + m['role'] + '\n' + m['content'] }}"
    "{{ '<end_of_turn>\n' }}{% endfor %}"
)
MISTRAL = (
    "{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
    "{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}"
)


def base() -> Any:
    """Return the tokenizer of a base model: no template, and no token for its markers."""
    return tiny_tokenizer(TEXTS, vocab_size=400)


def ask(tokenizer: Any) -> dict[str, Any]:
    """Write a question with it."""
    return {"start": render(tokenizer).split("\n")[0]}


def nothing() -> None:
    """Mend nothing."""


def bring() -> None:
    """Run the page's lines."""
    snippet("bring")


def write_into_the_json() -> None:
    """Run the page's lines for an old reader."""
    snippet("into-the-json")


def load(files: str = "*", *, mend: Any = nothing) -> dict[str, Any]:
    """Write a question with a copy of a chat model's tokenizer."""
    chat = base()
    set_all(chat, tiny_llama(vocab_size=len(chat)))
    copy(chat, files)
    mend()
    measure(template_copied=Path("copied/chat_template.jinja").is_file())
    tokenizer = AutoTokenizer.from_pretrained("copied")
    return ask(tokenizer)


def load_and_check(files: str = "*", *, mend: Any = nothing) -> dict[str, Any]:
    """Do the same, and ask the page's question of what was loaded."""
    start = load(files, mend=mend)
    tokenizer = AutoTokenizer.from_pretrained("copied")
    model = tiny_llama(vocab_size=len(tokenizer))
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    return start | {"found": check(tokenizer, model)}


def as_it_is(_: Any, __: Any) -> None:
    """Set nothing."""


def paste(tokenizer: Any, _: Any) -> None:
    """Set the template alone."""
    tokenizer.chat_template = CHATML


def set_all(tokenizer: Any, model: Any) -> None:
    """Run the page's lines."""
    snippet("template-and-tokens", tokenizer=tokenizer, model=model, CHATML=CHATML)


def check(tokenizer: Any, model: Any) -> bool:
    """Ask the page whether a turn ends with a token that stops the model."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("turn-end", tokenizer=tokenizer, model=model)
    measure(said=said.getvalue().strip())
    return not done["stops"]


def learn(change: Any) -> dict[str, Any]:
    """Train with a template, ask the page's question, and see whether the model stops."""
    tokenizer = base()
    model = tiny_llama(vocab_size=len(tokenizer)).to(device())
    change(tokenizer, model)
    measure(template=bool(tokenizer.chat_template), loss=train(model, tokenizer))
    new = answer(model, tokenizer)
    stopped = new[-1] == tokenizer.eos_token_id
    found = check(tokenizer, model)
    marker = len(tokenizer("<|im_start|>", add_special_tokens=False)["input_ids"])
    return {"found": found, "marker": marker, "new_tokens": len(new), "stopped": stopped}


def check_families() -> dict[str, Any]:
    """Ask the same of models that end a turn as Gemma and Mistral do."""
    found = []
    for template, tokens in ((GEMMA, ["<start_of_turn>", "<end_of_turn>"]), (MISTRAL, [])):
        tokenizer = base()
        tokenizer.add_tokens(tokens, special_tokens=True)
        tokenizer.chat_template = template
        model = tiny_llama(vocab_size=len(tokenizer))
        ends = [tokenizer.eos_token_id, *tokenizer.convert_tokens_to_ids(tokens[1:])]
        model.generation_config.eos_token_id = ends if tokens else ends[0]
        found.append(check(tokenizer, model))
    return {"found": any(found), "asked": len(found)}


def compare(template: str) -> dict[str, Any]:
    """Hold what training saw, here ChatML, against what the tokenizer's template writes."""
    tokenizer = base()
    tokenizer.chat_template = CHATML
    ids = tokenizer(tokenizer.apply_chat_template(CHAT, tokenize=False))["input_ids"]
    tokenizer.chat_template = template
    names: dict[str, Any] = {"dataset": [{"input_ids": ids}], "messages": CHAT}
    done = snippet("compare", tokenizer=tokenizer, **names)
    return {"found": not done["same"]}
