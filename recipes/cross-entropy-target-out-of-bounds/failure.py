"""Labels for which a loss has no class, or which were never to be looked up, and their fixes."""

from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification, LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

SIZE: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}


def classify(
    labels: Any, *, prepare: Any = None, late: int = 0, bad: str = "keep", **config: Any
) -> dict[str, Any]:
    """Learn the labels of three texts, and see what is predicted for them.

    `prepare` makes model and labels; `late` sets the number of classes of a model that is made.
    """
    torch.manual_seed(0)
    model: Any = BertForSequenceClassification(BertConfig(num_hidden_layers=1, **SIZE, **config))
    model, labels = prepare(labels) if prepare else (model, labels)
    model.config.num_labels = late or model.config.num_labels
    model.to(device()).train()
    texts = torch.tensor([[2, 10, 3], [2, 11, 3], [2, 12, 3]], device=device())
    wanted, classes = torch.tensor(labels, device=device()), model.classifier.out_features
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


def language_model(*, grow: Any = None) -> dict[str, float]:
    """Give a Llama rows for two more tokens, for its inputs alone or as `grow` does."""
    model = LlamaForCausalLM(LlamaConfig(vocab_size=128, num_hidden_layers=1, **SIZE))
    if grow:
        grow(model)
    else:
        model.set_input_embeddings(nn.Embedding(130, 32))
    ids = torch.tensor([[2, 5, 128, 10]], device=device())
    return {"loss": float(model.to(device())(input_ids=ids, labels=ids).loss)}


def loss_of(labels: Any, *, leave_out: Any = None) -> dict[str, float]:
    """Return the cross entropy of random logits of five classes and these labels."""
    targets = torch.tensor(labels, device=device())
    logits = torch.randn(len(labels), 5, *targets.shape[1:], device=device())
    loss = leave_out(logits, targets) if leave_out else nn.functional.cross_entropy(logits, targets)
    return {"loss": loss.item()}
