"""Three ways to pass a mask that ends too early: a chat, an answer, a soft prompt."""

from typing import Any

import torch
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

FIRST, TURN = torch.tensor([[5, 6, 7, 8, 9, 10, 11, 12]]), torch.tensor([[20, 21, 22]])
PROMPT = torch.tensor([[2, 5, 6]] * 2)
ANSWERS = torch.tensor([[10, 7, 20], [11, 7, 21]])  # the last word follows from the first


def llama() -> Any:
    """Return a small Llama."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    wide = {"initializer_range": 0.2}  # random weights that tell tokens apart
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, num_attention_heads=4, **size, **wide))


@torch.no_grad()
def chat(model: Any, mask: Any = None) -> Any:
    """Return the logits behind a second turn, with the first one cached."""
    first, turn = FIRST.to(model.device), TURN.to(model.device)
    cache = DynamicCache()
    model(input_ids=first, attention_mask=torch.ones_like(first), past_key_values=cache)
    mask = torch.ones_like(turn) if mask is None else mask.to(model.device)
    return model(input_ids=turn, attention_mask=mask, past_key_values=cache).logits[:, -1]


@torch.no_grad()
def soft_prompt(model: Any, mask: Any = None) -> Any:
    """Return the logits behind a text with three vectors put before it."""
    text = FIRST.to(model.device)
    vectors = torch.sin(torch.arange(96.0)).reshape(1, 3, 32).to(model.device)
    given = torch.cat([vectors, model.get_input_embeddings()(text)], 1)
    mask = torch.ones_like(text) if mask is None else mask.to(model.device)
    return model(inputs_embeds=given, attention_mask=mask).logits[:, -1]


def learn(model: Any, mask: Any = None) -> float:
    """Learn two answers to one question; return the loss at the end, ln(2) / 3 at best."""
    ids = torch.cat([PROMPT, ANSWERS], 1).to(model.device)
    labels = ids.clone()
    labels[:, :3] = -100
    mask = (torch.ones_like(PROMPT) if mask is None else mask).to(model.device)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(40):
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return float(loss)
