"""Labels for which a loss has no class, or which were never to be looked up, and their fixes."""

from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification, LlamaConfig, LlamaForCausalLM

SIZE: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}


def classify(labels: Any, *, first: int = 0, bad: str = "keep", **config: Any) -> dict[str, Any]:
    """Learn the labels of three texts, counted from `first`, and see what is predicted for them.

    What is out of range then is kept, clamped or dropped.
    """
    torch.manual_seed(0)
    model: Any = BertForSequenceClassification(BertConfig(num_hidden_layers=1, **SIZE, **config))
    texts = torch.tensor([[2, 10, 3], [2, 11, 3], [2, 12, 3]])
    wanted, classes = torch.tensor(labels) - first, model.num_labels
    targets = wanted.clamp(0, classes - 1) if bad == "clamp" else wanted
    kept = slice(classes - 1 if bad == "drop" else None)  # the last text has the last label
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(40):
        model(input_ids=texts[kept], labels=targets[kept]).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    predicted = model.eval()(input_ids=texts).logits.argmax(-1)
    right = (predicted == wanted).sum().item()
    return {"classes": classes, "learnt": targets[kept].tolist(), "right": right}


def language_model(*, outputs: bool = False) -> float:
    """Give a Llama rows for two more tokens, on the side of the inputs or on both."""
    model = LlamaForCausalLM(LlamaConfig(vocab_size=128, num_hidden_layers=1, **SIZE))
    if outputs:
        model.resize_token_embeddings(130)
    else:
        model.set_input_embeddings(nn.Embedding(130, 32))
    ids = torch.tensor([[2, 5, 128, 10]])
    return float(model(input_ids=ids, labels=ids).loss)


def answers() -> tuple[Any, Any]:
    """Return logits of two answers, and their labels, with -100 for the prompt."""
    torch.manual_seed(0)
    logits, labels = torch.randn(2, 6, 128), torch.randint(0, 128, (2, 6))
    labels[:, :3] = -100
    return logits, labels


def log_probs(logits: Any, labels: Any, *, clamp: bool = False, brackets: bool = False) -> Any:
    """Sum the log-probabilities of each answer, as DPO and GRPO do."""
    found, index = logits.log_softmax(-1), labels.clamp(min=0) if clamp else labels
    if brackets:
        return found[torch.arange(2)[:, None], torch.arange(6), index].sum(-1)
    return found.gather(-1, index.unsqueeze(-1)).squeeze(-1).sum(-1)


def loss_of(labels: Any, *, classes: int = 5, **options: Any) -> float:
    """Return the cross entropy of random logits and these labels."""
    logits = torch.randn(len(labels), classes)
    return nn.functional.cross_entropy(logits, torch.tensor(labels), **options).item()
