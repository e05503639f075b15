"""A script of evaluation that asks for a metric by its name, and a Hub to ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evaluate  # type: ignore[import-not-found]

METRIC = """\
import datasets
import evaluate


class Accuracy(evaluate.Metric):
    def _info(self):
        number = datasets.Value("int32")
        features = datasets.Features({"predictions": number, "references": number})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references):
        right = sum(one == two for one, two in zip(predictions, references))
        return {"accuracy": right / len(references)}
"""


def score(name: str = "accuracy") -> float:
    """Load a metric, and say how many of two predictions are right."""
    metric: Any = evaluate.load(name)
    return float(metric.compute(predictions=[1, 2], references=[1, 1])["accuracy"])


def save(path: str, text: str = METRIC) -> None:
    """Write a metric's script."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
