"""What the steps measure: each rank's adapters, beside training in one process."""

from __future__ import annotations

import copy
import os
import re
from typing import Any

import torch
import torch.distributed as dist
from accelerate.state import AcceleratorState, DistributedType, PartialState
from failure import arguments, load, train
from safetensors.torch import save_file
from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from transformers import TrainerCallback

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, without_shared_memory_kernels

STEPS, PER_RANK, RATE, VOCABULARY = 2, 2, 1e-2, 128
TOLERANCE = 1e-3  # far above rounding, far below one step of the learning rate
ZERO_2 = {
    "zero_optimization": {"stage": 2},
    "train_micro_batch_size_per_gpu": PER_RANK,
    "gradient_accumulation_steps": 1,
}


def join_as_accelerators() -> None:
    """On a CPU let gloo ranks pass for accelerators, which accelerate asks for: simulated."""
    os.environ["ACCELERATE_USE_FSDP"] = "true"
    if device() != "cpu":
        return
    os.environ["ACCELERATE_TORCH_DEVICE"] = "cpu"
    PartialState._prepare_backend = lambda *_, **__: ("gloo", DistributedType.MULTI_GPU)
    torch.cuda.set_device = lambda *_: None  # axolotl's loader selects the device of its rank


def on_every_rank(value: Any) -> list[Any]:
    """Return what every rank passes."""
    values = [None] * dist.get_world_size()
    dist.all_gather_object(values, value)
    return values


def write_base_model(**sizes: int) -> None:
    """Let rank 0 write the base model; all ranks of a step share its folder."""
    if dist.get_rank() == 0:
        tiny_llama(tie_word_embeddings=False, **sizes).save_pretrained("base")
    dist.barrier()


def samples() -> list[dict[str, Tensor]]:
    """Return as many samples as all ranks take in a step, so that their order does not matter."""
    generator = torch.Generator().manual_seed(1)
    size = (PER_RANK * dist.get_world_size(), 16)
    rows = torch.randint(VOCABULARY, size, generator=generator)
    return [{"input_ids": row, "labels": row} for row in rows]


def stop() -> None:
    """End the process group in order: gloo aborts at exit otherwise."""
    dist.barrier()
    dist.destroy_process_group()


class AdapterWatch(TrainerCallback):
    """Counts over all ranks the adapters that moved, before the checkpoint is saved."""

    def on_train_begin(self, *_: Any, model: Any, **__: Any) -> None:
        """Remember the adapters as `Accelerator.prepare` left them."""
        self.adapters = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.before = {n: _local(p).detach().clone() for n, p in self.adapters.items()}
        plugin = getattr(AcceleratorState(), "fsdp_plugin", None)
        measure(state_dict=plugin.state_dict_type.name if plugin else "")

    def on_step_end(self, _args: Any, state: Any, *_: Any, optimizer: Any, **__: Any) -> None:
        """After the last step: compare all ranks."""
        if state.global_step < STEPS:
            return
        moved = [not torch.equal(self.before[n], _local(p)) for n, p in self.adapters.items()]
        rows = on_every_rank([sum(moved) / len(moved), len(optimizer.state)])
        trained, states = sum(row[0] for row in rows) / len(rows), sum(row[1] > 0 for row in rows)
        measure(trained=trained, ranks_with_state=states)


def _local(parameter: Any) -> Tensor:
    return parameter.to_local() if hasattr(parameter, "to_local") else parameter


def begin(*, nodes: int = 1, **options: Any) -> Any:
    """Start the ranks and return the Trainer's arguments, with the base model written."""
    os.environ["LOCAL_RANK"] = str(
        int(os.environ["RANK"]) % (int(os.environ["WORLD_SIZE"]) // nodes)
    )
    if "deepspeed" in options or "sharded" in options:
        without_shared_memory_kernels()
        options["use_cpu"] = device() == "cpu"
    else:
        join_as_accelerators()
    args = arguments(**options)
    _ = args.device  # starts the process group: loaders ask it which rank they are
    measure(save_only_model=args.save_only_model)
    return args


def train_and_compare(model: Any, args: Any) -> dict[str, Any]:
    """Train, gather the adapters on rank 0 and compare them with those that one process trains."""
    alone = copy.deepcopy(model) if dist.get_rank() == 0 else None
    trainer = train(model, args, samples(), AdapterWatch())
    adapters = _gathered(trainer)
    seen: dict[str, Any] = {}
    if alone is not None:
        save_file(adapters, "adapter_model.safetensors")
        zero = snippet("untrained-rows")["zero"]
        seen = {"difference": _difference(adapters, alone), "zero_rows": sum(zero) / len(zero)}
    stop()
    return seen


def _gathered(trainer: Any) -> dict[str, Tensor]:
    if trainer.is_deepspeed_enabled:
        trainable = trainer.model.named_parameters()
        return {n: p.detach().cpu().contiguous() for n, p in trainable if p.requires_grad}
    options = StateDictOptions(full_state_dict=True, cpu_offload=True, ignore_frozen_params=True)
    return get_model_state_dict(trainer.model, options=options)


def _difference(adapters: dict[str, Tensor], alone: Any) -> float:
    alone.to(device())
    trainable = {n: p for n, p in alone.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(trainable.values(), lr=RATE, weight_decay=0.0)
    batch = torch.stack([sample["input_ids"] for sample in samples()]).to(device())
    for _ in range(STEPS):
        optimizer.zero_grad()
        alone(input_ids=batch, labels=batch).loss.backward()
        optimizer.step()
    return max(float((adapters[n] - p.detach().cpu()).abs().max()) for n, p in trainable.items())


def run(*, prepare: str = "", meta: bool = True, **options: Any) -> dict[str, Any]:
    """Load, train and save as in `failure.py`.

    Args:
        prepare: A snippet of the page that is given the model before the Trainer is built.
        meta: Whether the loader puts the other ranks' model on the meta device.
        **options: See `failure.arguments`.
    """
    args = begin(**options)
    write_base_model()
    model = load(meta=meta)
    if prepare:
        snippet(prepare, model=model)
    return train_and_compare(model, args)


def run_unsaved(**options: Any) -> dict[str, Any]:
    """Train without a checkpoint, and tell whether the adapters differ from the true ones."""
    seen = run(save_strategy="no", **options)
    return seen | {"found": seen["difference"] > TOLERANCE} if seen else {}


def run_guarded(*, meta: bool = True, **options: Any) -> dict[str, Any]:
    """Train with the callback that the page offers, and tell whether it stopped the run."""
    args = begin(save_strategy="no", **options)
    write_base_model()
    guard = snippet("every-rank-trains")["EveryRankTrains"]()
    stopped = ""
    try:
        train(load(meta=meta), args, samples(), guard, AdapterWatch())
    except RuntimeError as error:
        stopped = str(error)
        print(f"RuntimeError: {error}")
    stop()
    return {"found": "missing from the optimizer" in stopped}


def run_to_the_ratio(*, lora_rank: int = 8, nodes: int = 1) -> dict[str, Any]:
    """Fail to save, and return tensor-volume / chunks-volume for A and for B of the adapters."""
    args = begin(nodes=nodes)
    write_base_model()
    message = ""
    try:
        train(load(lora_rank=lora_rank), args, samples(), AdapterWatch())
    except CheckpointException as error:
        message = str(error)
    stop()
    ratios = {side: _ratio(message, side) for side in "AB"}
    return {"found": bool(message), "ratio_a": ratios["A"], "ratio_b": ratios["B"]}


def _ratio(message: str, side: str) -> float:
    """Return the ratio of the first tensor of one side; 0 if the message names none."""
    found = re.search(
        rf"lora_{side}\S* invalid fill tensor-volume: (\d+) chunks-volume: (\d+)", message
    )
    return int(found[1]) / int(found[2]) if found else 0.0
