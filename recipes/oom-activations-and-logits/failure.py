"""Training, updating and evaluating a small Llama: each phase can be what runs out of memory."""

from __future__ import annotations

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

VOCABULARY = 4096


def llama(*, layers=16, width=64, dtype=torch.bfloat16, attention="sdpa", checkpointing=False):
    """Build a model with many layers and a large vocabulary, as a trainer would."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        tie_word_embeddings=True,
        attn_implementation=attention,
        use_cache=False,
    )
    model = LlamaForCausalLM(config).to(dtype).train()
    if checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return model


def tokens(rows, length):
    """Return the same random rows every time."""
    return torch.randint(VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(1))


def plain_loss(model, input_ids, labels):
    """Let transformers compute the loss: all logits at once, in fp32."""
    return model(input_ids=input_ids, labels=labels).loss


def train(model, ids, *, micro_batch=4, loss=plain_loss):
    """Run forward and backward over all rows, `micro_batch` of them at a time."""
    labels = ids.clone()
    labels[:, : ids.shape[1] * 7 // 8] = -100  # the prompt does not count
    parts = list(zip(ids.split(micro_batch), labels.split(micro_batch), strict=True))
    for part, wanted in parts:
        (loss(model, part, wanted) / len(parts)).backward()


def evaluate(model, ids, *, keep=None):
    """Evaluate with metrics, which makes the Trainer collect what `keep` makes of the logits."""
    trainer = Trainer(
        model,
        TrainingArguments("out", use_cpu=True, per_device_eval_batch_size=4, report_to=[]),
        eval_dataset=[{"input_ids": row, "labels": row} for row in ids],
        compute_metrics=lambda seen: {"collected_mib": seen.predictions.nbytes / 2**20},
        preprocess_logits_for_metrics=keep,
    )
    return trainer.evaluate()["eval_collected_mib"]
