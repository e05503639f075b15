"""Adapters created on the meta device drop out of FSDP2's optimizer: only rank 0 trains them."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
#     "addict==2.4.0", "bitsandbytes==0.50.2", "datasets==5.2.0", "deepspeed==0.19.8",
#     "pillow==13.0.0", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///
from __future__ import annotations

import copy
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from safetensors.torch import load_file
from torch.distributed.checkpoint.api import CheckpointException

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

sys.path.insert(0, str(Path(__file__).parent))
from lora_training import (
    CHECKPOINT,
    PER_RANK,
    AdapterWatch,
    EveryRankTrains,
    arguments,
    axolotl_config,
    difference,
    load,
    load_with_axolotl,
    start,
    stop,
    train,
    train_and_compare,
)

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import TrainingArguments

# What `accelerate launch` exports for FSDP, and the device that accelerate is to use.
FSDP = {"ACCELERATE_USE_FSDP": "true", "ACCELERATE_TORCH_DEVICE": "cpu"}
AXOLOTL = {
    "ACCELERATE_USE_FSDP": "true",
    "ACCELERATE_TORCH_DEVICE": "cpu",
    "AXOLOTL_DO_NOT_TRACK": "1",
}
# Two releases of axolotl with what they pin, and what their loader imports besides.
LOADER = ["posthog==6.7.11", "six==1.17.0", "backoff==2.2.1", "distro==1.9.0", "fastcore==2.2.39"]
HUB = ["huggingface_hub==1.17.0", "httpx==0.28.1", "httpcore==1.0.9", "datasets==4.8.4", *LOADER]
PINS_0_18 = ["transformers==5.14.1", "accelerate==1.13.0", "peft==0.19.1", "tokenizers==0.22.2"]
PINS_0_19 = ["transformers==5.16.1", "accelerate==1.13.0", "peft==0.20.0", "tokenizers==0.23.1"]
AXOLOTL_0_18 = ["axolotl==0.18.0", *PINS_0_18, *HUB]
AXOLOTL_0_19 = ["axolotl==0.19.0", *PINS_0_19, *HUB]
LAST = ["axolotl==0.19.0"]  # beside the newest transformers
TOLERANCE = 1e-3  # far above rounding, far below one step of the learning rate


def ratio_in(error: CheckpointException) -> float:
    """Return tensor-volume / chunks-volume of the first tensor that a failed save names."""
    volumes = re.search(r"tensor-volume:\s*(\d+)\s+chunks-volume:\s*(\d+)", str(error))
    return int(volumes[1]) / int(volumes[2]) if volumes else 0.0


def save_and_record(model: PeftModel, args: TrainingArguments) -> None:
    """Train until the save fails, and record the ratio before failing with it."""
    try:
        train(model, args, AdapterWatch())
    except CheckpointException as error:
        if dist.get_rank() == 0:
            measure(ratio=ratio_in(error))
        raise


@reproduce(on="cpu", ranks=2, versions=AXOLOTL_0_18, env=AXOLOTL, timeout_s=180)
def axolotl_0_18_saves_a_checkpoint() -> None:
    """The last bad release: its own loader, then the Trainer saves a sharded checkpoint."""
    args = start()
    save_and_record(load_with_axolotl(), args)


@reproduce(on="cpu", ranks=2, env=FSDP, timeout_s=180)
def trainer_saves_a_checkpoint() -> None:
    """The same without axolotl: transformers, PEFT and accelerate with a base model on meta."""
    args = start()
    save_and_record(load(), args)


@reproduce(on="cpu", ranks=2, env=FSDP, timeout_s=180)
def guard_stops_before_the_first_step() -> None:
    """The check to paste, on the same run: it does not wait for a checkpoint."""
    args = start()
    train(load(), args, EveryRankTrains())


@detect(found=True, on="cpu", ranks=2, env=FSDP, timeout_s=180)
def one_rank_never_trains() -> dict[str, Any]:
    """Nothing is saved, so nothing fails: training ends normally, with half of every adapter."""
    args = start(save=False)
    seen = train_and_compare(load(), args)
    return seen | {"found": seen.get("difference", 0.0) > TOLERANCE}


@detect(found=False, on="cpu", ranks=2, env=FSDP, timeout_s=180)
def every_rank_trains() -> dict[str, Any]:
    """The control: with real weights on every rank, FSDP2 trains what one process trains."""
    args = start(save=False, ram_efficient=False)
    seen = train_and_compare(load(ram_efficient=False), args)
    return seen | {"found": seen.get("difference", 0.0) > TOLERANCE}


@detect(found=True, on="cpu", ranks=4, env=FSDP, timeout_s=180)
def ratio_on_four_ranks() -> dict[str, Any]:
    """One rank of four has optimizer state: the ratio in the message is four."""
    return ratio_of_failed_save()


@detect(found=True, on="cpu", ranks=4, env=FSDP, timeout_s=180)
def ratio_on_two_nodes_of_two() -> dict[str, Any]:
    """Every node has a local rank 0, so two ranks of four have state: the ratio is two."""
    os.environ["LOCAL_RANK"] = str(int(os.environ["RANK"]) % 2)
    return ratio_of_failed_save()


def ratio_of_failed_save() -> dict[str, Any]:
    """Train until the save fails, and go on with the ratio that its message holds."""
    args = start()
    ratio = 0.0
    try:
        train(load(), args, AdapterWatch())
    except CheckpointException as error:
        ratio = ratio_in(error)
    stop()
    return {"found": ratio > 1.0, "ratio": ratio}


@detect(found=True, on="cpu", ranks=2, versions=AXOLOTL_0_18, env=AXOLOTL, timeout_s=180)
def qlora_adapters_on_meta() -> dict[str, Any]:
    """The 4-bit load of the report, with the real bitsandbytes: where rank 1's adapters end up."""
    start()
    model = load_with_axolotl(four_bit=True)
    adapters = [p for n, p in model.named_parameters() if "lora_" in n]
    rows: list[dict[str, Any]] = [{}] * dist.get_world_size()
    row = {"rank": dist.get_rank(), "adapters": len(adapters)}
    row |= {"on_meta": sum(p.is_meta for p in adapters)}
    row |= {"distinct_data_ptr": len({p.data_ptr() for p in adapters})}
    dist.all_gather_object(rows, row)
    stop()
    return {"found": rows[1]["on_meta"] == rows[1]["adapters"], "ranks": rows}


@fix("axolotl-0-19", on="cpu", ranks=2, versions=AXOLOTL_0_19, env=AXOLOTL, timeout_s=180)
def axolotl_0_19_saves_a_checkpoint() -> dict[str, Any]:
    """The first good release, with the same configuration."""
    args = start()
    return train_and_compare(load_with_axolotl(), args)


@fix("materialise-the-adapters", on="cpu", ranks=2, versions=LAST, env=FSDP)
def adapters_materialised_before_the_optimizer() -> dict[str, Any]:
    """The function of axolotl in a script of one's own, between PEFT and the Trainer."""
    from axolotl.loaders.utils import materialize_trainable_meta_params

    args = start()
    model = load()
    materialize_trainable_meta_params(model)
    return train_and_compare(model, args)


@fix("load-on-every-rank", on="cpu", ranks=2, versions=AXOLOTL_0_18, env=AXOLOTL, timeout_s=180)
def axolotl_0_18_loads_on_every_rank() -> dict[str, Any]:
    """The last bad release with cpu_ram_efficient_loading: false."""
    args = start(ram_efficient=False)
    return train_and_compare(load_with_axolotl(ram_efficient=False), args)


@fix("full-state-dict", on="cpu", ranks=2, env=FSDP, timeout_s=180)
def full_state_dict_on_rank_0() -> dict[str, Any]:
    """With every rank training, a full state dict gathered on rank 0 holds the whole adapter."""
    args = start(ram_efficient=False, state_dict="FULL_STATE_DICT")
    model = load(ram_efficient=False)
    begin = copy.deepcopy(model)
    train(model, args, AdapterWatch())
    seen = saved_adapter(begin) if dist.get_rank() == 0 else {}
    stop()
    return seen


def saved_adapter(begin: PeftModel) -> dict[str, Any]:
    """Read the adapter of the checkpoint back and compare it with training in one process."""
    saved = load_file(CHECKPOINT / "adapter_model.safetensors")
    named = {name.replace(".weight", ".default.weight"): tensor for name, tensor in saved.items()}
    return {"tensors": len(saved), "difference": difference(named, begin)}


@fix("deepspeed", on="cpu", ranks=2, needs=["deepspeed"], timeout_s=180)
def deepspeed_zero_2() -> dict[str, Any]:
    """DeepSpeed ZeRO-2: every rank loads the model and no parameter is looked up by its address."""
    import deepspeed

    # On a CPU DeepSpeed would first compile shared-memory kernels, which training does not use.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    batch = {"train_micro_batch_size_per_gpu": PER_RANK, "gradient_accumulation_steps": 1}
    args = arguments(use_cpu=True, deepspeed={"zero_optimization": {"stage": 2}, **batch})
    model = load(ram_efficient=False)
    begin = copy.deepcopy(model)
    train(model, args)
    seen = saved_adapter(begin) if dist.get_rank() == 0 else {}
    stop()
    return seen


@non_fix("upgrade-and-keep-4-bit", on="cpu", versions=LAST, env=AXOLOTL, timeout_s=180)
def axolotl_0_19_refuses_it_with_4_bit() -> None:
    """For QLoRA the new release refuses the setting instead of training with it."""
    axolotl_config(ram_efficient=True, four_bit=True)


@non_fix("save-only-model", on="cpu", ranks=2, env=FSDP, timeout_s=180)
def save_only_model_is_refused() -> None:
    """Since 4.50 transformers does not even build the Trainer."""
    args = start(save_only_model=True)
    train(load(), args)


@non_fix("save-only-model", on="cpu", ranks=2, env=FSDP, timeout_s=180)
def sharded_save_model_writes_no_weights() -> dict[str, Any]:
    """All that is left of a sharded checkpoint then is `save_model`; every rank trains here."""
    args = start(save=False, ram_efficient=False)
    trainer = train(load(ram_efficient=False), args)
    trainer.save_model("final")
    weights = {".safetensors", ".bin", ".pt", ".distcp"}
    written = [path for path in Path("final").rglob("*") if path.suffix in weights]
    stop()
    return {"weight_files": len([path for path in written if path.name != "training_args.bin"])}


@non_fix("full-state-dict-alone", on="cpu", ranks=2, env=FSDP, timeout_s=180)
def full_state_dict_of_a_broken_run() -> None:
    """Ranks without state gather other tensors than rank 0: on gloo the process aborts."""
    args = start(state_dict="FULL_STATE_DICT")
    train(load(), args, AdapterWatch())


@non_fix("larger-dev-shm", on="cpu", ranks=2, env=FSDP, timeout_s=180)
def save_with_shared_memory_to_spare() -> None:
    """The save fails while it is planned: nothing mapped from /dev/shm, not one byte written."""
    args = start()
    try:
        train(load(), args)
    except CheckpointException:
        files = list((CHECKPOINT / "optimizer_0").glob("*.distcp"))
        space = os.statvfs("/dev/shm")  # noqa: S108  (read only)
        free = space.f_bavail * space.f_frsize
        measure(shm_free=free, shm_mapped=mapped_from_shm(), files=len(files))
        raise


def mapped_from_shm() -> int:
    """Return the bytes of /dev/shm that this process has mapped."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    spans = [line.split()[0].split("-") for line in lines if "/shm/" in line]
    return sum(int(end, 16) - int(begin, 16) for begin, end in spans)


if __name__ == "__main__":
    main(__file__)
