"""What is measured of a run, and what the code of the page says of it."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import torch
from datasets import Dataset
from failure import build, by_hand, enlarge, rows, use
from peft import LoraConfig, get_peft_model
from torch.amp import GradScaler
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForSequenceClassification,
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    DataCollatorWithPadding,
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
    Trainer,
    TrainingArguments,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

DATA = ("empty", "padded", "prompt", "longest")
SIZES: dict[str, int] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
BY_HAND = {
    "by_hand": by_hand,
    "zeroed": partial(by_hand, zeroed=True),
    "smallest": partial(by_hand, masked=torch.finfo(torch.float32).min),
}


def run(**changes: Any) -> dict[str, Any]:
    """Train a small Llama, and measure what became of it."""
    trainer = _built(**changes)
    trainer.add_callback(snippet("stop")["StopAtNan"]())
    before = _weights(trainer)
    try:
        trainer.train()
    finally:
        measures = _measures(trainer, before)
        measure(**measures)
    return measures


def _measures(trainer: Any, before: torch.Tensor) -> dict[str, Any]:
    log = [row for row in trainer.state.log_history if "grad_norm" in row]
    scaler, group = trainer.accelerator.scaler, trainer.optimizer.param_groups[0]
    return {
        "nan_losses": sum(math.isnan(row["loss"]) for row in log),
        "zero_losses": sum(row["loss"] == 0 for row in log),
        "nan_gradients": sum(math.isnan(row["grad_norm"]) for row in log),
        "zero_gradients": sum(row["grad_norm"] == 0 for row in log),
        "broken_tensors": sum(not p.isfinite().all() for p in trainer.model.parameters()),
        "distance": (_weights(trainer) - before).norm().nan_to_num(-1).item(),
        "scale": scaler.get_scale() if scaler else 1.0,
        "learning_rate": group["initial_lr"],
        "epsilon": group["eps"],
    }


def stops(**changes: Any) -> dict[str, Any]:
    """Train, and say whether the callback of the page ended it."""
    try:
        run(**changes)
    except RuntimeError as error:
        return {"found": "not finite" in str(error)}
    return {"found": False}


def look(*, late: bool = False, **changes: Any) -> dict[str, Any]:
    """Ask the snippet of the page about the first batch, or about one after training."""
    trainer = _built(**changes)
    if late:
        trainer.train()
    asked = snippet("why-nan", trainer=trainer)
    return {"found": asked["reason"] is not None, "says": str(asked["reason"])}


def look_at_usual() -> dict[str, Any]:
    """Ask the snippet about stock models, each with its collator and its kind of labels."""
    tokenizer = tiny_tokenizer()
    tokenizer.mask_token = "<unk>"  # noqa: S105  (a token of text)
    ids = [tokenizer("the model reads a text")["input_ids"], tokenizer("a loss")["input_ids"]]
    bert = BertConfig(**SIZES, intermediate_size=64)
    plain: Any = DataCollatorForLanguageModeling
    pairs: list[tuple[Any, Any, list[dict[str, Any]]]] = [
        (
            BertForSequenceClassification(bert),
            DataCollatorWithPadding(tokenizer),
            [{"input_ids": row, "label": number} for number, row in enumerate(ids)],
        ),
        (
            BertForMaskedLM(bert),
            plain(
                tokenizer, mlm_probability=0.5, mask_replace_prob=0, random_replace_prob=0, seed=0
            ),
            [{"input_ids": row} for row in ids],
        ),
        (
            GPT2LMHeadModel(GPT2Config(**SIZES)),
            plain(tokenizer, mlm=False),
            [{"input_ids": row} for row in ids],
        ),
        (
            T5ForConditionalGeneration(T5Config(**SIZES, decoder_start_token_id=0)),
            DataCollatorForSeq2Seq(tokenizer),
            [{"input_ids": row, "labels": row} for row in ids],
        ),
    ]
    reasons = [str(_asked(model, collator, data)) for model, collator, data in pairs]
    return {"found": set(reasons) != {"None"}, "models": len(pairs), "says": "; ".join(reasons)}


def _asked(model: Any, collator: Any, data: Any) -> Any:
    arguments = TrainingArguments("out", report_to="none", use_cpu=device() == "cpu")
    trainer = Trainer(model, arguments, train_dataset=data, data_collator=collator)
    return snippet("why-nan", trainer=trainer)["reason"]


def run_and_look(**changes: Any) -> dict[str, Any]:
    """Train, and ask the snippet about the weights as they were before."""
    return run(**changes) | look(**changes)


def _built(
    *,
    dtype: str = "float32",
    times: float = 1.0,
    head: float = 1.0,
    attention: str = "sdpa",
    lora: bool = False,
    mend: str = "",
    **settings: Any,
) -> Any:
    """Return a Trainer with a small Llama of these weights and this attention."""
    model = tiny_llama().to(getattr(torch, dtype))
    enlarge(model, times, head)
    if attention in BY_HAND:
        use(attention, BY_HAND[attention])
    model.config._attn_implementation = attention
    model = _with_lora(model) if lora else model
    if mend == "weights":
        snippet("full-weights", model=model)
    data: Any = rows(**{key: settings.pop(key) for key in DATA if key in settings})
    if mend == "rows":
        data = snippet("drop", dataset=Dataset.from_list(data))["kept"]
    trainer = build(model, data, seed=0, use_cpu=device() == "cpu", **settings)
    if trainer.args.fp16 and device() == "cpu":  # accelerate leaves it out there
        trainer.accelerator.native_amp = True
        trainer.accelerator.scaler = GradScaler("cpu")
    return trainer


def _with_lora(model: Any) -> Any:
    """Put LoRA on it in the type of its weights; by default PEFT makes them fp32."""
    config = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    return get_peft_model(model, config, autocast_adapter_dtype=False)


def _weights(trainer: Any) -> torch.Tensor:
    """Return a copy of all weights as one vector."""
    return torch.cat([p.detach().double().flatten() for p in trainer.model.parameters()])
