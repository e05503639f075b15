"""One conversation, servers of several sizes, and the page's questions to them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from failure import VLLM, ask, start, write

from fixbook.recipe import measure, snippet

LONG = 8  # questions and answers before the last question


def conversation(turns: int) -> list[dict[str, str]]:
    """Return a system prompt, some questions with their answers, and a last question."""
    said = [{"role": "system", "content": "Answer in short."}]
    for turn in range(turns):
        said += [{"role": "user", "content": f"Question {turn}?"}]
        said += [{"role": "assistant", "content": f"Answer {turn}."}]
    return [*said, {"role": "user", "content": "And now?"}]


def checked(*, page: bool) -> dict[str, Any]:
    """Ask vLLM's check of requests, by the page's lines or for more tokens than the context has."""
    client: Any = SimpleNamespace(chat=SimpleNamespace(completions=VLLM(512, prompt=300)))
    asking: dict[str, Any] = {"model": "MODEL", "messages": conversation(LONG)}
    if page:
        answer = snippet("what-is-left", client=client, **asking)["answer"]
    else:
        answer = client.chat.completions.create(**asking, max_tokens=1024)
    return {"found": False, "read": answer}


def attempt(
    *,
    context: int = 512,
    slots: int = 1,
    trained: int = 4096,
    turns: int = LONG,
    max_tokens: int = 64,
    shorten: bool = False,
) -> dict[str, Any]:
    """Ask the page's question, then the server's."""
    write("model.gguf", trained=trained)
    process = start("model.gguf", context=context, slots=slots)
    server = str(process.listening_address)
    messages = conversation(turns)
    seen = snippet("count", server=server, messages=messages)
    if shorten:
        snippet("shorten", **(seen | {"messages": messages, "max_tokens": max_tokens}))
        measure(kept=len(messages), last=messages[-1]["content"], first=messages[0]["role"])
    tokens = seen["count"](messages)
    measure(asked=context, tokens=tokens, limit=seen["limit"], max_tokens=max_tokens)
    measure(found=tokens + max_tokens > seen["limit"])
    answer = ask(server, messages, max_tokens)
    reason, used = answer["choices"][0]["finish_reason"], answer["usage"]
    return {"reason": reason, "written": used["completion_tokens"], "read": used["prompt_tokens"]}
