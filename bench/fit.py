"""Published peaks of memory beside those that `fixbook fit` predicts: ``python -m bench.fit``.

Writes docs/fit-runs.md. Ends with 1 where an error is above what the suite allows.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

from fixbook.fit.depth import total
from fixbook.fit.plan import Adapter, Plan
from fixbook.fit.predict import Predictor

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests/fit/published.json"
PAGE = ROOT / "docs/fit-runs.md"
MEDIAN, WORST = 1.5, 5.0  # per cent
_MIB = 2**20
_HEAD = """\
# Published runs, predicted

Written by `python -m bench.fit`; what stands here was computed, and nobody types it. Source of the
measurements: {source}. Card: {card}. {common}.

{count} runs. Error of the allocated peak: median {median:.1f} %, worst {worst:.1f} %.

| model | batch | tokens | weights | measured MiB | predicted MiB | error % |
|---|---:|---:|---|---:|---:|---:|
"""


def plan_of(run: dict[str, Any], models: dict[str, Any]) -> Plan:
    """Return what a published run trained; what all have in common stands in the file's head."""
    return Plan(
        models[run["model"]],
        batch=run["batch"],
        length=run["length"],
        weights="float16",
        quantized=run["quantized"],
        adapter=Adapter(run["rank"], ("q_proj", "k_proj", "v_proj", "o_proj")),
        checkpointing="non-reentrant",
        optimizer="adamw",
        attention=run["attention"],
        keeps_outputs=True,
        clips=False,
    )


def main() -> int:
    """Predict all of them, and write the page."""
    data = json.loads(DATA.read_bytes())
    lines, errors = [], []
    for run in data["runs"]:
        phases = Predictor().predict(plan_of(run, data["models"])).phases
        predicted = max(map(total, phases.values())) / _MIB
        measured = run["measured_mib"]["allocated"]
        error = predicted / measured * 100 - 100
        errors.append(abs(error))
        kept = run["quantized"] or "float16"
        lines.append(
            f"| {run['model']} | {run['batch']} | {run['length']} | {kept} | {measured:.0f} "
            f"| {predicted:.0f} | {error:+.1f} |"
        )
        print(lines[-1], flush=True)
    middle, worst = statistics.median(errors), max(errors)
    about = {key: data[key] for key in ("source", "card", "common")}
    head = _HEAD.format(**about, count=len(errors), median=middle, worst=worst)
    PAGE.write_text(head + "\n".join(lines) + "\n", "utf-8")
    return int(middle > MEDIAN or worst > WORST)


if __name__ == "__main__":
    sys.exit(main())
