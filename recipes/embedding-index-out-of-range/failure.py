"""Three ways to ask a table for a row that it does not have, and their fixes."""

from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

OLD, NEW = (126, 127), (128, 129)  # NEW: what tokenizer.add_tokens(["<yes>", "<no>"]) gave


def llama(*, resize: bool = False) -> Any:
    """Return a small Llama that has a row for each of 128 tokens, and has learnt the last two."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=128, num_attention_heads=4, **size))
    learn(model, OLD)
    if resize:
        model.resize_token_embeddings(128 + len(NEW))
    return model


def learn(model: Any, tags: Any = NEW, *, clamp: bool = False) -> Any:
    """Learn to answer one tag with 10 and the other with 11; return the loss at the end."""
    ids = torch.tensor([[2, 5, tag, answer] for tag, answer in zip(tags, (10, 11), strict=True)])
    labels = ids.clone()
    labels[:, :3] = -100
    ids = (ids.clamp(max=127) if clamp else ids).to(model.device)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, 1e-2)
    for _ in range(40):
        loss = model(input_ids=ids, labels=labels.to(model.device)).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def lora(model: Any, *, new_rows: bool = False) -> Any:
    """Put LoRA on the attention, and train the new rows beside it or not."""
    rows: dict[str, Any] = {"trainable_token_indices": list(NEW)} if new_rows else {}
    return get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj", "v_proj"], **rows))


def mask_the_prompt(model: Any, *, clone: bool = False) -> Any:
    """Take the prompt out of the loss."""
    ids = torch.tensor([[2, 5, 126, 10]])
    labels = ids.clone() if clone else ids
    labels[:, :3] = -100
    return model(input_ids=ids, labels=labels).loss.item()


def read(text: Any, *, cut: bool = False) -> Any:
    """Read a text with GPT-2, which has a row for each of 16 positions; return how many it read."""
    size: dict[str, Any] = {
        "n_embd": 32,
        "n_layer": 1,
        "n_head": 2,
        "bos_token_id": 2,
        "eos_token_id": 3,
    }
    model = GPT2LMHeadModel(GPT2Config(vocab_size=128, n_positions=16, **size))
    return model(input_ids=text[:, :16] if cut else text).logits.shape[1]
