"""What the page offers, run as printed, and log-probabilities of answers."""

from __future__ import annotations

import tempfile
from typing import Any

import torch
from datasets import Dataset, DatasetDict
from failure import SIZE, classify
from torch import nn
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertForTokenClassification,
)

from fixbook.recipe import device, snippet
from fixbook.recipe.helpers import tiny_llama


def counted(labels: list[int]) -> tuple[Any, list[int]]:
    """Load a checkpoint with a head of two classes and number the labels, as the page does."""
    with tempfile.TemporaryDirectory() as checkpoint:
        config = BertConfig(num_hidden_layers=1, **SIZE)
        BertForSequenceClassification(config).save_pretrained(checkpoint)
        rows = Dataset.from_dict({"label": labels})
        data = DatasetDict(train=rows, validation=rows)
        made = snippet("count-the-classes", data=data, checkpoint=checkpoint)
    return made["model"], made["data"]["train"]["label"][:]


def left_out(value: int) -> Any:
    """Return a loss that leaves out what stands for "not counted", as the page does."""

    def loss(logits: Any, labels: Any) -> Any:
        named = {"logits": logits, "labels": labels, "unlabelled": value}
        return snippet("leave-out", **named)["loss"]

    return loss


def numbered(mask: Any) -> Any:
    """Number the grey values of a mask, as the page does."""
    return snippet("number-the-mask", mask=torch.tensor(mask))["mask"].tolist()


def grown(model: Any) -> None:
    """Grow both sides of a model as the page does, for a tokenizer of 130 tokens."""
    snippet("grow-both-tables", model=model, tokenizer=range(130))


def check(labels: list[int], **changes: Any) -> dict[str, Any]:
    """Train a classifier inside the check of the page; a GPU is of use afterwards."""
    said = ""
    try:
        snippet("check-targets", model=classify, batch={"labels": labels, **changes})
    except IndexError as error:
        said = str(error)
    works = torch.ones(4, device=device()).sum().item() == 4
    return {"found": "classes" in said, "said": said, "device_works": works}


def check_sound_models() -> dict[str, Any]:
    """Run the check on sound batches: texts, tokens, padding, pixels, soft labels, keywords."""
    bert = BertConfig(num_hidden_layers=1, num_labels=3, **SIZE)
    ids, pads = torch.tensor([[2, 10, 3]]), torch.tensor([[0, 2, -100]])
    pixels, soft = torch.randint(0, 5, (1, 4, 4)), torch.full((2, 5), 0.2)
    sound: list[tuple[Any, dict[str, Any]]] = [
        (BertForSequenceClassification(bert), {"input_ids": ids, "labels": torch.tensor([2])}),
        (BertForTokenClassification(bert), {"input_ids": ids, "labels": pads}),
        (tiny_llama(), {"input_ids": ids, "labels": torch.tensor([[2, -100, 127]])}),
        (nn.functional.cross_entropy, {"input": torch.randn(1, 5, 4, 4), "target": pixels}),
        (nn.functional.cross_entropy, {"target": soft, "input": torch.randn(2, 5)}),
        (nn.functional.nll_loss, {"input": torch.randn(2, 5), "target": torch.tensor([4, 0])}),
        (nn.CrossEntropyLoss(ignore_index=-1), {"input": soft, "target": torch.tensor([4, -1])}),
    ]
    stopped = [str(model)[:30] for model, batch in sound if _is_stopped(model, batch)]
    return {"found": bool(stopped), "models": len(sound)}


def _is_stopped(model: Any, batch: dict[str, Any]) -> bool:
    try:
        snippet("check-targets", model=model, batch=batch)
    except IndexError:
        return True
    return False


def gathered(*, as_printed: bool = False, clamp: bool = False, brackets: bool = False) -> Any:
    """Sum the log-probabilities of two answers, and hold them against the loss as the page does.

    -100 stands for the prompt. `clamp` puts token 0 there, `brackets` index without a gather.
    """
    torch.manual_seed(0)
    logits, labels = torch.randn(2, 6, 128, device=device()), torch.randint(0, 128, (2, 6))
    labels = labels.to(device())
    labels[:, :3] = -100
    found, index = logits.log_softmax(-1), labels.clamp(min=0) if clamp else labels
    if as_printed:
        total = snippet("clamp-and-mask", logits=logits, labels=labels)["log_probs"]
    elif brackets:
        rows, columns = torch.arange(2, device=device()), torch.arange(6, device=device())
        total = found[rows[:, None], columns, index].sum(-1)
    else:
        total = found.gather(-1, index.unsqueeze(-1)).squeeze(-1).sum(-1)
    asked = snippet("check-log-probs", log_probs=total, logits=logits, labels=labels)
    off = (total - asked["wanted"]).abs().max().item()
    return {"found": asked["wrong"], "off_by": off}
