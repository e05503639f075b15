"""A Trainer whose compute_loss has the signature of releases before 4.46."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from transformers import Trainer, TrainingArguments

TOKENS = (24, 5, 6, 20, 4, 22, 7, 3)  # in each row, the rest is padding


def rows() -> list[dict[str, Any]]:
    """Return padded rows that count for a different number of tokens each."""
    torch.manual_seed(0)
    ids = torch.randint(4, 128, (len(TOKENS), max(TOKENS)))
    kept = torch.arange(max(TOKENS)) < torch.tensor(TOKENS)[:, None]
    labels = ids.masked_fill(~kept, -100)
    labels[:, 0] = -100  # nothing predicts it, and some releases count it all the same
    named = zip(ids, kept.long(), labels, strict=True)
    return [dict(zip(("input_ids", "attention_mask", "labels"), row, strict=True)) for row in named]


def token_mean(outputs: Any, labels: Any) -> Any:
    """Return the mean over the tokens of the batch at hand."""
    return F.cross_entropy(outputs.logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def row_mean(outputs: Any, labels: Any) -> Any:
    """Return the mean over the rows, in which each row counts the same."""
    losses = F.cross_entropy(outputs.logits[:, :-1].mT, labels[:, 1:], reduction="none")
    return (losses.sum(1) / (labels[:, 1:] != -100).sum(1)).mean()


class OldTrainer(Trainer):
    """A loss of one's own, with the signature that was right until 4.45."""

    loss_of = staticmethod(token_mean)

    def compute_loss(  # type: ignore[override]
        self,
        model: Any,
        inputs: Any,
        return_outputs: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the mean over the batch."""
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = self.loss_of(outputs, labels)
        return (loss, outputs) if return_outputs else loss


class Strict(nn.Module):
    """A part whose forward names all that it takes."""

    def __init__(self, model: Any) -> None:
        """Keep the model."""
        super().__init__()
        self.model = model

    def forward(self, input_ids: Any, attention_mask: Any = None, labels: Any = None) -> Any:
        """Compute the loss."""
        return self.model(input_ids=input_ids, attention_mask=attention_mask, labels=labels)


class Passing(nn.Module):
    """A model whose forward hands on whatever it is given."""

    def __init__(self, model: Any) -> None:
        """Keep the part."""
        super().__init__()
        self.part = Strict(model)

    def forward(self, input_ids: Any, labels: Any = None, **given: Any) -> Any:
        """Hand it on."""
        return self.part(input_ids=input_ids, labels=labels, **given)


class OldStepTrainer(Trainer):
    """A step of one's own, with the signature that was right until 4.45."""

    def training_step(self, model: Any, inputs: Any) -> Any:  # type: ignore[override]
        """Do what the Trainer does."""
        return super().training_step(model, inputs)


def arguments(accumulate: int, ranks: int = 1, **options: Any) -> TrainingArguments:
    """Return arguments for steps of all rows, in so many parts; SGD shows the gradient."""
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": True, "disable_tqdm": True}
    size = len(TOKENS) // accumulate // ranks
    quiet |= {"per_device_train_batch_size": size, "gradient_accumulation_steps": accumulate}
    quiet |= {"per_device_eval_batch_size": 2, "max_steps": 1, "logging_steps": 1}
    quiet |= {"optim": "sgd", "learning_rate": 1.0, "max_grad_norm": 0.0, "save_strategy": "no"}
    return TrainingArguments("out", **quiet | options)
