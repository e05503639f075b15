"""Read the data as each step registers it, ask the page's checks, and compare prompts."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import torch
import yaml
from failure import COMMA, read, write

from fixbook.recipe import run_snippet, snippet, snippet_text
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

SYSTEM = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."
TURN = "<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
CHAT = (
    f"<|im_start|>system\n{SYSTEM}<|im_end|>\n"
    f"{{% for m in messages %}}{TURN}{{% endfor %}}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer(*, chat: bool = False) -> Any:
    """Return a tokenizer; with the chat template of Qwen2.5, and its tokens, or without."""
    made = tiny_tokenizer([SYSTEM, "Human: Assistant: user system hello world hi yes\n"] * 2)
    if chat:
        made.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
        made.add_special_tokens({"eos_token": "<|im_end|>"})
        made.chat_template = CHAT
    return made


def kept(rows: list[Any]) -> dict[str, Any]:
    """Count the rows that were read."""
    return {"kept": len(rows)}


def named(dataset: str, info: Any = None) -> dict[str, Any]:
    """Read a data set by this name, and ask the page's check about it.

    Args:
        dataset: What stands under ``dataset``.
        info: What is registered; by default, what the page prints.
    """
    write(info or snippet_text("register"))
    return kept(read(tokenizer(), dataset)) | asked(dataset)


def asked(dataset: str, template: str = "default") -> dict[str, Any]:
    """Ask the page's check, with the names of a training file in place of its own."""
    code = snippet_text("ask").replace('"mine"', repr(dataset)).replace('"qwen"', repr(template))
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102
    return {"found": not (names["registered"] and names["known"])}


def elsewhere(*, mended: bool = False) -> dict[str, Any]:
    """Start in another folder than LLaMA-Factory's."""
    write(folder="LLaMA-Factory/data")
    Path("project").mkdir()
    os.chdir("project")
    if not mended:
        return kept(read(tokenizer()))
    folder = yaml.safe_load(snippet_text("folder"))["dataset_dir"]
    absolute = len(read(tokenizer(), folder=str(Path(folder).resolve())))
    return kept(read(tokenizer(), folder=folder)) | {"absolute": absolute}


def comma(*, mended: bool = False) -> dict[str, Any]:
    """Register it with a comma too many, which the page's line finds."""
    write(COMMA)
    if mended:
        told = run_snippet("json").stdout
        file = Path("data/dataset_info.json")
        file.write_text(file.read_text().replace("},\n}", "}\n}"))
        return kept(read(tokenizer())) | {"told": bool(re.search("line [23] column", told))}
    return kept(read(tokenizer()))


def templated(name: str = "") -> dict[str, Any]:
    """Read with this template, or with the one that the page's table has for Qwen2.5."""
    write()
    name = name or snippet("table")["found"]["Qwen2.5-7B-Instruct"]
    return kept(read(tokenizer(chat=True), template=name)) | {"template": name}


def compared(template: Any) -> dict[str, Any]:
    """Ask the page's second check about a template, and take the loss of a first step."""
    write()
    made = tokenizer(chat=True)
    made.save_pretrained("model")
    Path("model/config.json").write_text(json.dumps({"model_type": "llama"}))
    same = snippet("compare")["same_prompt"]("model", template)
    rows = read(made, template=template)
    model = tiny_llama(vocab_size=len(made))
    inputs = {name: torch.tensor([rows[0][name]]) for name in ("input_ids", "labels")}
    return {"found": not same, "loss": float(model(**inputs).loss.detach())} | ended(made, rows)


def ended(made: Any, rows: list[Any]) -> dict[str, Any]:
    """Tell whether the token that ends an answer is learned."""
    return {"ends": made.eos_token_id in rows[0]["labels"]}


def left_out() -> dict[str, Any]:
    """Name no template, for a tokenizer that has none either."""
    write()
    made = tokenizer()
    told = ended(made, read(made, template=None))
    return {"found": not told["ends"]} | told
