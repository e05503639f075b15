"""Keys that may not stand where they do: the one that is refused is named, not a comment."""

from __future__ import annotations

import json
from pathlib import Path

from fixbook.config.check import check
from fixbook.config.read import parse


def test_a_comment_is_not_taken_for_the_stray_key_behind_it() -> None:
    params = {"_why": "slow", "lr": 1e-4, "weight_decy": 0.0}
    config = {
        "train_micro_batch_size_per_gpu": 1,
        "zero_optimization": {"stage": 2},
        "optimizer": {"type": "AdamW", "params": params},
    }
    (found,) = check([parse(json.dumps(config), Path("ds_config.json"))]).findings
    assert found.setting.key == "optimizer.params.weight_decy"
    assert found.text("en").endswith("; the nearest is `weight_decay`")
    assert found.fix == [{"rename": found.setting.key, "to": "optimizer.params.weight_decay"}]
