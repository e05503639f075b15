"""Distillation under ZeRO-3: both models are partitioned, and DeepSpeed is given one."""

import copy
import os
from pathlib import Path
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from transformers import AutoModelForCausalLM
from transformers.integrations.deepspeed import HfDeepSpeedConfig

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
    student: str, teacher: str, *, stage: int = 3, early: bool = False, copied: bool = False
) -> Any:
    """Load a student and a teacher; ``early``: the teacher before the configuration exists."""
    for name, value in {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0", "LOCAL_RANK": "0"}.items():
        os.environ.setdefault(name, value)  # what accelerate sets for ``python script.py``
    dist.init_process_group("gloo", **({} if "RANK" in os.environ else alone()))
    read = AutoModelForCausalLM.from_pretrained
    first = read(teacher) if early else None
    hold: Any = HfDeepSpeedConfig  # its constructor has no types
    config = hold(settings(stage))
    taught = read(student)
    asked = first if early else copy.deepcopy(taught) if copied else read(teacher)
    optimizer = torch.optim.SGD(taught.parameters(), lr=0.1)
    deepspeed.initialize(model=taught, optimizer=optimizer, config=config.config)
    return taught, asked


def alone() -> dict[str, Any]:
    """Return what a process needs that no launcher has started."""
    return {"init_method": Path("rendezvous").absolute().as_uri(), "rank": 0, "world_size": 1}


def ask(teacher: Any, *, gather: bool = False, head: bool = False) -> Any:
    """Return the teacher's logits, or what its ``head`` alone returns."""
    every = list(teacher.parameters())
    with deepspeed.zero.GatheredParameters(every, enabled=gather), torch.no_grad():
        return teacher.lm_head(torch.ones(2, 32)) if head else teacher(input_ids=IDS).logits
