"""A limit on this process's memory, and what an evaluation takes of it at most."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import llama, rows, trainer

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import limits

if TYPE_CHECKING:
    from collections.abc import Callable

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
    made = trainer(llama(), **given(reduced=reduced, batched=batched) | arguments)
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


def weigh(make: Callable[[], Any] = llama, *, reduced: bool) -> dict[str, Any]:
    """Evaluate without a limit, and compare what was kept, the peak and the page's estimate."""
    model = make()
    made = trainer(model, **given(reduced=reduced))
    made.evaluate(rows(8))
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak starts anew
    before = status("VmRSS")
    kept = made.evaluate(rows(ROWS))["eval_kept_mib"]
    peak = status("VmHWM") - before
    estimate = snippet("estimate")["logits_gib"](model, rows(ROWS)) * 1024
    return {
        "found": kept > estimate / 2,
        "kept_mib": kept,
        "estimated_mib": estimate,
        "peak_mib": peak,
    }
