"""Distillation under ZeRO-3: both models are partitioned, and DeepSpeed is given one."""

import copy
from typing import Any

import deepspeed
import torch
from transformers import AutoModelForCausalLM
from transformers.integrations.deepspeed import HfDeepSpeedConfig

from fixbook.recipe import device

IDS = torch.arange(2, 34).reshape(2, 16)


def settings(stage: int) -> dict[str, Any]:
    """Return the configuration of the run."""
    return {
        "train_micro_batch_size_per_gpu": 2,
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {"stage": stage, "stage3_param_persistence_threshold": 0},
        "gradient_clipping": 0.0,
    }


def load(
    student: str,
    teacher: str,
    *,
    stage: int = 3,
    early: bool = False,
    copied: bool = False,
    initialize: bool = True,
) -> Any:
    """Load a student and a teacher; ``early``: the teacher before the configuration exists."""
    read = AutoModelForCausalLM.from_pretrained
    first = read(teacher) if early else None
    hold: Any = HfDeepSpeedConfig  # its constructor has no types
    config = hold(settings(stage))
    taught = read(student)
    asked = first if early else copy.deepcopy(taught) if copied else read(teacher)
    optimizer = torch.optim.SGD(taught.parameters(), lr=0.1)
    if initialize:
        deepspeed.initialize(model=taught, optimizer=optimizer, config=config.config)
    return taught, asked if stage == 3 and not early else asked.to(device())


def ask(model: Any, *, head: bool = False) -> Any:
    """Return the model's logits, or what its ``head`` alone returns."""
    with torch.no_grad():
        if head:
            return model.lm_head(torch.ones(2, 32, device=device()))
        return model(input_ids=IDS.to(device())).logits
