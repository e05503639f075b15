"""What callers get from apply_chat_template, and the page's look at a script."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from datasets import Dataset
from failure import ASK, CHAT, LONG, as_tensor, generate, short_enough, tokenizer, with_end

from fixbook.recipe import device, measure, snippet, snippet_text
from fixbook.recipe.helpers import tiny_llama

OLD = (
    "ids = tokenizer.apply_chat_template(chat, add_generation_prompt=True)\n"
    "first = tokenizer.apply_chat_template(chat)[0]\n"
    "rows = tok.apply_chat_template(chats)\n"
    "out = model.generate(inputs=tokenizer.apply_chat_template(chat, return_tensors='pt'))\n"
)
SOUND = (
    "text = tokenizer.apply_chat_template(chat, tokenize=False)\n"
    'ids = tokenizer.apply_chat_template(chat)["input_ids"]\n'
    "ids = tokenizer.apply_chat_template(chat).input_ids\n"
    'batch = tokenizer.apply_chat_template(chat, return_dict=True, return_tensors="pt")\n'
    "out = model.generate(**tokenizer.apply_chat_template(chat, return_tensors='pt'))\n"
    "text = processor.apply_chat_template(chat)\n"
    "inputs = tokenizer.apply_chat_template(chat, return_tensors='pt').to(model.device)\n"
    "out = model.generate(**inputs)\n"
)


def ids_of(chat: Any, *, page: bool = False, guard: bool = False, **options: Any) -> Any:
    """Tokenize a chat: as code of transformers 4 does, by the page's line, or with a guard."""
    measure(release=version("transformers"))
    made = tokenizer()
    if page:
        return snippet("ids", tokenizer=made, chat=chat)["ids"]
    got = made.apply_chat_template(chat, **ASK, **options)
    if guard:
        measure(guard=True)
    if guard and isinstance(got, dict):
        got = got["input_ids"]
    return got


def generated(*, spread: bool = False) -> dict[str, Any]:
    """Generate from a chat."""
    model, made = tiny_llama().to(device()).eval(), tokenizer()
    if spread:
        out = snippet("spread", tokenizer=made, chat=CHAT, model=model)["out"][0].tolist()
    else:
        out = generate(model, ids_of(CHAT, return_tensors="pt"))
    return {"new": len(out) - len(made.apply_chat_template(CHAT, **ASK, return_dict=False))}


def tensor(**options: Any) -> dict[str, Any]:
    """Make a tensor of the ids."""
    return {"tokens": as_tensor(ids_of(CHAT, **options)).shape[1]}


def ended(**options: Any) -> dict[str, Any]:
    """Append a token to the ids."""
    return {"last": with_end(ids_of(CHAT, **options), 3)[-1]}


def kept(**options: Any) -> dict[str, Any]:
    """Keep the chats of at most 40 tokens; one of the two is far longer."""
    chats = short_enough([CHAT, LONG], lambda chat: ids_of(chat, **options), 40)
    return {"found": LONG in chats, "kept": len(chats), "length": len(ids_of(LONG, **options))}


def column() -> dict[str, Any]:
    """Tokenize in a map, as a column of ids."""
    rows = Dataset.from_dict({"messages": [CHAT, LONG]})
    made = rows.map(lambda row: {"input_ids": ids_of(row["messages"])})
    kind = type(made[0]["input_ids"]).__name__
    return {"found": kind != "list", "kind": kind}


def looked(*, page: bool = False) -> dict[str, Any]:
    """Let the page's lines look at a script: one of 4, or one that holds what the page says."""
    script = SOUND + snippet_text("ids") + snippet_text("spread") if page else OLD
    Path("train.py").write_text(script)
    lines = snippet("look")["found"]
    return {"found": bool(lines), "lines": len(lines)}
