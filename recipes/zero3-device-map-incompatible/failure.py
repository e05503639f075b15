"""A model loaded under ZeRO-3 with a device_map, and a step of training on it."""

from typing import Any

import deepspeed
import torch
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


def load(folder: str, *, stage: int = 3, keep: bool = True, ask: Any = None, **options: Any) -> Any:
    """Load a model, with options that are given, or asked for once DeepSpeed is configured.

    ``keep=False`` drops the configuration before: the Trainer's arguments make and keep one.
    """
    hold: Any = HfDeepSpeedConfig  # its constructor has no types
    kept = hold(settings(stage))
    if not keep:
        del kept
    if ask:
        options |= ask()
    return AutoModelForCausalLM.from_pretrained(folder, **options)


def train(model: Any, *, stage: int = 3) -> list[float]:
    """Train for two steps, and return their losses."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=settings(stage))
    losses, ids = [], IDS.to(engine.device)
    for _ in range(2):
        loss = engine(input_ids=ids, labels=ids).loss
        engine.backward(loss)
        engine.step()
        losses.append(float(loss))
    return losses
