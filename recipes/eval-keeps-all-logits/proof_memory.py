"""A limit on this process's memory, and what an evaluation takes of it at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import VOCABULARY, llama, rows, trainer
from transformers import (
    DataCollatorForLanguageModeling,
    LlamaForSequenceClassification,
    T5Config,
    T5ForConditionalGeneration,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import limits, tiny_tokenizer

MIB = 2**20
ROWS, LIMIT_MIB = 32, 192


def status(name: str) -> int:
    """Return a line of the process's own account, in MiB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith(name + ":")).split()[1]) // 1024


def given(*, reduced: bool = False, batched: bool = False) -> dict[str, Any]:
    """Return what the page gives to the Trainer."""
    if reduced:
        return {"preprocess_logits_for_metrics": snippet("keep-predictions")["keep_predictions"]}
    if batched:
        return {"compute_metrics": snippet("per-batch")["Accuracy"](), "batch_eval_metrics": True}
    return {}


def evaluate(
    how: str = "evaluate", *, reduced: bool = False, batched: bool = False, **arguments: Any
) -> dict[str, Any]:
    """Evaluate within a limit that has room for the logits once, and not twice."""
    made = trainer(llama(), use_cpu=True, **given(reduced=reduced, batched=batched) | arguments)
    measure(limit_mib=LIMIT_MIB, accumulation_steps=made.args.eval_accumulation_steps or 0)
    batch = next(iter(made.get_eval_dataloader(rows(ROWS))))
    measure(rows_in_a_batch=len(batch["input_ids"]))
    made.evaluate(rows(8))  # what is loaded lazily is loaded now
    with limits(memory=(status("VmSize") + LIMIT_MIB) * MIB):
        found = getattr(made, how)(rows(ROWS))
    metrics = found if how == "evaluate" else found.metrics
    kept = {name.partition("_")[2]: value for name, value in metrics.items()}
    figures = {name: kept[name] for name in ("loss", "kept_mib") if name in kept}
    return figures | {"scored": "accuracy" in kept}


def weigh(*, reduced: bool = False) -> dict[str, Any]:
    """Evaluate without a limit, and compare what was kept, the peak and the page's estimate."""
    made = trainer(llama(), data=rows(ROWS), use_cpu=True, **given(reduced=reduced))
    made.evaluate(rows(8))
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak starts anew
    before = status("VmRSS")
    kept = made.evaluate()["eval_kept_mib"]
    peak = status("VmHWM") - before
    return estimate(made) | {"kept_mib": kept, "peak_mib": peak}


def estimate(made: Any) -> dict[str, Any]:
    """Ask the page's question of a Trainer: is what it would keep more than the limit bears?"""
    mib = snippet("estimate", trainer=made)["kept"] / MIB
    return {"found": 2 * mib > LIMIT_MIB, "estimated_mib": mib}


def asked(model: Any, **how: Any) -> dict[str, Any]:
    """Ask it for a model, without an evaluation."""
    data = how.pop("data", None) or rows(ROWS)
    made = trainer(model.to(device()), data=data, use_cpu=device() == "cpu", **how)
    return estimate(made)


def of_a_t5(*, reduced: bool = False) -> dict[str, Any]:
    """Ask it of a model that returns its encoder's hidden state beside the logits."""
    size: dict[str, Any] = {"d_model": 32, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 4}
    config = T5Config(vocab_size=VOCABULARY, decoder_start_token_id=0, use_cache=False, **size)
    return asked(T5ForConditionalGeneration(config).eval(), **given(reduced=reduced))


def of_plain_texts() -> dict[str, Any]:
    """Ask it of data without labels, which the usual collator adds."""
    data = [{"input_ids": row["input_ids"]} for row in rows(ROWS)]
    return asked(
        llama(),
        data=data,
        data_collator=DataCollatorForLanguageModeling(tiny_tokenizer(), mlm=False),
    )


def of_a_classifier() -> dict[str, Any]:
    """Ask it of a model that returns two numbers for each text."""
    data = [{"input_ids": row["input_ids"], "labels": 1} for row in rows(ROWS)]
    return asked(llama(LlamaForSequenceClassification), data=data)
