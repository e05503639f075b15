"""Conversations that a template refuses, the page's lines to mend them, and its two questions."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from failure import DEVSTRAL, DROPS, FIRST_MISTRAL, GEMMA_2, KNOWN_ROLES, QWEN, render, serve

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

Messages = list[dict[str, Any]]
TEMPLATES = {
    "first mistral": FIRST_MISTRAL,
    "gemma 2": GEMMA_2,
    "devstral": DEVSTRAL,
    "qwen": QWEN,
    "drops": DROPS + FIRST_MISTRAL,
    "known roles": KNOWN_ROLES,
}
QUESTION, AGAIN = "Where is the sea?", "And the desert?"
RULE, LATE_RULE = "Answer in one word.", "Summarise the above."


def user(text: str) -> dict[str, Any]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def system(text: str) -> dict[str, Any]:
    """Return a system message."""
    return {"role": "system", "content": text}


def answer(text: str) -> dict[str, Any]:
    """Return a message of the assistant."""
    return {"role": "assistant", "content": text}


CALL = {"type": "function", "function": {"name": "look", "arguments": "{}"}, "id": "123456789"}
RESULT = {"role": "tool", "content": "In the west.", "tool_call_id": "123456789"}
CONVERSATIONS: dict[str, Messages] = {
    "two questions": [user(QUESTION), user(AGAIN)],
    "a rule": [system(RULE), user(QUESTION)],
    "a developer": [{"role": "developer", "content": RULE}, user(QUESTION)],
    "an answer first": [answer("Hello."), user(QUESTION)],
    "other names": [
        {"role": "human", "content": QUESTION},
        {"role": "gpt", "content": "West."},
    ],
    "a late rule": [
        system(RULE),
        user(QUESTION),
        answer("West."),
        system(LATE_RULE),
        user(AGAIN),
    ],
    "stopped at a tool": [user(QUESTION), answer("") | {"tool_calls": [CALL]}, RESULT, user(AGAIN)],
}


def tokenizer_with(template: str) -> Any:
    """Return a tokenizer with this chat template."""
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = template
    return tokenizer


def asked(name: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Ask one of the page's questions; return what it prints, and its variables."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet(name, **names)
    return said.getvalue().strip(), done


def looked(messages: Messages, template: str) -> dict[str, Any]:
    """Ask which message the template refuses."""
    names = {"tokenizer": tokenizer_with(template), "messages": messages}
    said, done = asked("refused", names)
    return {"said": said, "found": done["refused"] is not None}


def look(conversation: str, template: str) -> dict[str, Any]:
    """Ask it of a conversation as it is."""
    return looked(CONVERSATIONS[conversation], TEMPLATES[template])


def mended(messages: Messages, text: str, by: str) -> tuple[Messages, str]:
    """Return messages and template as the page, or advice that goes round, changes them."""
    if by in ("merge", "gather", "close"):
        return snippet(by, messages=messages)["messages"], text
    if by == "prefix":
        snippet("prefix", tokenizer=tokenizer_with(text))
        return messages, Path("merged.jinja").read_text("utf-8")
    if by == "role user":
        return [m | {"role": "user"} if m["role"] == "system" else m for m in messages], text
    if by == "no raise":
        return messages, re.sub(r"\{\{ raise_exception.*?\}\}", "", text)
    return messages, text


def attempt(conversation: str, template: str, mend: str = "") -> dict[str, Any]:
    """Render a conversation, as it is or changed by what is named."""
    messages = [dict(message) for message in CONVERSATIONS[conversation]]
    messages, text = mended(messages, TEMPLATES[template], mend)
    system = sum(message["role"] == "system" for message in messages)
    measure(system=system, raises=text.count("raise_exception"))
    prompt = render(tokenizer_with(text), messages)
    lost = [m["content"] for m in CONVERSATIONS[conversation] if m["content"] not in prompt]
    return {"text": " ".join(prompt.split()), "lost": lost} | looked(messages, text)


def lost_of(conversation: str, template: str) -> dict[str, Any]:
    """Ask the page what of a conversation is not in the prompt."""
    names = {"tokenizer": tokenizer_with(template), "messages": CONVERSATIONS[conversation]}
    said, done = asked("lost", names)
    return {"said": said, "found": bool(done["lost"])}


def serve_it(conversation: str, template: str, *, prefixed: bool = False) -> dict[str, Any]:
    """Ask llama.cpp's server, with the template in the file or with the page's before it."""
    messages = CONVERSATIONS[conversation]
    instead = mended(messages, TEMPLATES[template], "prefix")[1] if prefixed else ""
    text = serve(TEMPLATES[template], messages, instead)
    found = any(message["content"] not in text for message in messages)
    return {"text": " ".join(text.split()), "found": found}
