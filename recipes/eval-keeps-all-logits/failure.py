"""An evaluation with metrics, in which the Trainer keeps the logits of the whole data set."""

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

VOCABULARY = 16384


def llama(make: Any = LlamaForCausalLM) -> Any:
    """Make a small model with a vocabulary that is not small."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1}
    config = LlamaConfig(vocab_size=VOCABULARY, num_attention_heads=4, pad_token_id=0, **size)
    return make(config).eval()


def rows(number: int) -> list[dict[str, Any]]:
    """Return that many samples of 64 tokens."""
    ids = torch.arange(4, 68)
    return [{"input_ids": ids, "labels": ids}] * number


def accuracy(seen: Any) -> dict[str, float]:
    """Take the argmax where everybody takes it first: after all logits were kept."""
    predicted = seen.predictions
    predicted = predicted.argmax(-1) if predicted.ndim == 3 else predicted
    right = (predicted[:, :-1] == seen.label_ids[:, 1:]).mean()
    return {"accuracy": float(right), "kept_mib": seen.predictions.nbytes / 2**20}


def trainer(
    model: Any,
    compute_metrics: Any = accuracy,
    preprocess_logits_for_metrics: Any = None,
    data: Any = None,
    data_collator: Any = None,
    **arguments: Any,
) -> Any:
    """Make a Trainer that evaluates 4 samples at a time."""
    base: dict[str, Any] = {"per_device_eval_batch_size": 4, "report_to": []}
    return Trainer(
        model,
        TrainingArguments("out", **base | arguments),
        eval_dataset=data,
        data_collator=data_collator,
        compute_metrics=compute_metrics,
        preprocess_logits_for_metrics=preprocess_logits_for_metrics,
    )
