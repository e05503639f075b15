"""Ways to ask a table for a row that it does not have: tokens, positions, kinds of text."""

from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    MPNetConfig,
    MPNetModel,
    RobertaConfig,
    RobertaModel,
)

from fixbook.recipe import device
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

OLD, NEW = (126, 127), (128, 129)  # NEW: what tokenizer.add_tokens(["<yes>", "<no>"]) gave


def llama(*, grow: Any = None) -> Any:
    """Return a small Llama that has a row for each of 128 tokens, and has learnt the last two."""
    model = tiny_llama(num_hidden_layers=1).to(device())
    learn(model, OLD)
    if grow:
        grow(model)
    return model


def learn(model: Any, tags: Any = NEW, *, clamp: bool = False) -> Any:
    """Learn to answer one tag with 10 and the other with 11; return the loss at the end."""
    ids = torch.tensor([[2, 5, tag, answer] for tag, answer in zip(tags, (10, 11), strict=True)])
    labels = ids.clone()
    labels[:, :3] = -100
    ids = (ids.clamp(max=127) if clamp else ids).to(device())
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, 1e-2)
    for _ in range(40):
        loss = model(input_ids=ids, labels=labels.to(device())).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def lora(model: Any, *, new_rows: bool = False) -> Any:
    """Put LoRA on the attention, and train the new rows beside it or not."""
    rows: dict[str, Any] = {"trainable_token_indices": list(NEW)} if new_rows else {}
    return get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj", "v_proj"], **rows))


def mask_the_prompt(*, make_labels: Any = None) -> Any:
    """Take the prompt out of the loss: the labels are the inputs, or what `make_labels` makes."""
    ids = torch.tensor([[2, 5, 126, 10]], device=device())
    labels = make_labels(ids) if make_labels else ids
    labels[:, :3] = -100
    return tiny_llama().to(device())(input_ids=ids, labels=labels).loss.item()


def pad(*, reuse: Any = None, pad_id: int | None = None) -> Any:
    """Pad two texts with a new token, with one that `reuse` chooses, or with an id; read them."""
    tokenizer = tiny_tokenizer()
    model = tiny_llama(vocab_size=len(tokenizer)).to(device())
    if reuse:
        reuse(tokenizer)
    else:
        tokenizer.add_special_tokens({"pad_token": "[PAD]"})
    batch = tokenizer(["a text", "a text and a word"], padding=True, return_tensors="pt")
    if pad_id is not None:
        batch["input_ids"][batch["attention_mask"] == 0] = pad_id
    return {"read": list(model(**batch.to(device())).logits.shape[:2])}


def gpt2() -> Any:
    """Return a GPT-2 that has a row for each of 16 positions."""
    size: dict[str, Any] = {"n_embd": 32, "n_layer": 1, "n_head": 2}
    tokens = {"vocab_size": 128, "bos_token_id": 2, "eos_token_id": 3}
    return GPT2LMHeadModel(GPT2Config(n_positions=16, **size, **tokens)).to(device())


def roberta() -> Any:
    """Return a RoBERTa with 18 positions, the first of which is for padding, and one kind."""
    size = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}
    rows = {"vocab_size": 128, "max_position_embeddings": 18, "pad_token_id": 0}
    config: Any = RobertaConfig(num_hidden_layers=1, type_vocab_size=1, **size, **rows)
    return RobertaModel(config).to(device())


def mpnet() -> Any:
    """Return an MPNet with 18 positions, the first two of which are for padding."""
    size = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}
    rows = {"vocab_size": 128, "max_position_embeddings": 18, "pad_token_id": 1}
    config: Any = MPNetConfig(num_hidden_layers=1, **size, **rows)
    return MPNetModel(config).to(device())


def read(model: Any, *, cut: Any = None) -> dict[str, Any]:
    """Read a text of many words, as long as it is or as `cut` gives it; return what was read."""
    tokenizer = tiny_tokenizer()
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    texts = ["the model reads a text and writes the next word " * 3]
    batch = cut(model, tokenizer, texts) if cut else tokenizer(texts, return_tensors="pt")
    return {"read": model(**batch.to(device()))[0].shape[1]}


def pair(model: Any, *, without_kinds: Any = None) -> dict[str, Any]:
    """Read two texts, the second marked as of the second kind."""
    batch = {
        "input_ids": torch.tensor([[2, 5, 3, 6, 3]], device=device()),
        "token_type_ids": torch.tensor([[0, 0, 0, 1, 1]], device=device()),
    }
    if without_kinds:
        without_kinds(batch)
    return {"read": model(**batch)[0].shape[1]}
