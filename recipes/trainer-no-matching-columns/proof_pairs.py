"""Preferences in a Trainer that knows nothing of them."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from failure import TEXTS
from proof_columns import fit

from fixbook.recipe.helpers import tiny_llama


def train_pairs() -> dict[str, Any]:
    """Give the Trainer chosen and rejected texts."""
    return fit(tiny_llama(), Dataset.from_dict({"chosen": TEXTS, "rejected": TEXTS}))
