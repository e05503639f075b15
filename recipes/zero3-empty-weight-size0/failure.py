"""Train a step under ZeRO-3, save in one of the ways people do, and load in a plain process."""

from typing import Any

import deepspeed
import torch
import torch.distributed as dist

IDS = torch.arange(2, 34).reshape(2, 16)


def settings(*, gather_on_save: bool, beside: bool = False, threshold: int = 0) -> dict[str, Any]:
    """Return the configuration; ``beside``: the key stands beside ``zero_optimization``."""
    zero = {"stage": 3, "stage3_param_persistence_threshold": threshold}
    gather = {"stage3_gather_16bit_weights_on_model_save": gather_on_save}
    return {
        "train_micro_batch_size_per_gpu": 2,
        "zero_optimization": zero if beside else zero | gather,
        "gradient_clipping": 0.0,
        "zero_allow_untested_optimizer": True,
        **(gather if beside else {}),
    }


def train(model: Any, *, evaluate: bool = False, **changes: Any) -> Any:
    """Train one step; ``evaluate``: and run a forward without gradients after it."""
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.5)
    config = settings(**{"gather_on_save": False, **changes})
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config)
    ids = IDS.to(engine.device)
    engine.backward(engine(input_ids=ids, labels=ids).loss)
    engine.step()
    if evaluate:
        with torch.no_grad():
            engine(input_ids=ids, labels=ids)
    return engine


def save_module(module: Any, folder: str) -> None:
    """Save what the module holds."""
    if dist.get_rank() == 0:
        module.save_pretrained(folder)
    dist.barrier()


def load_whole(read: Any, state: Any, *, partition: bool, strict: bool = True) -> Any:
    """Fill a model with whole weights; ``partition``: where ZeRO-3 partitions it as it is built."""
    with deepspeed.zero.Init(config_dict_or_path=settings(gather_on_save=True), enabled=partition):
        model = read()
    model.load_state_dict(state, strict=strict)
    return model
