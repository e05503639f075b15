"""A small Llama with LoRA adapters, loaded and trained by the real libraries on gloo ranks."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from accelerate.state import DistributedType, PartialState
from peft import LoraConfig, PeftModel, get_peft_model
from torch import Tensor
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainerCallback, TrainingArguments

from fixbook.recipe import measure

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS, PER_RANK, RATE, VOCABULARY = 2, 2, 1e-2, 64
CHECKPOINT = Path("out", f"checkpoint-{STEPS}")
RANK, MODULES = 8, ["q_proj", "v_proj"]


def start(
    *, ram_efficient: bool = True, state_dict: str = "SHARDED_STATE_DICT", **others: Any
) -> TrainingArguments:
    """Start the ranks and return the Trainer's arguments: FSDP2, one checkpoint at the end."""
    # Simulated: accelerate offers FSDP on accelerators only, so gloo ranks have to pass for them.
    PartialState._prepare_backend = lambda *_, **__: ("gloo", DistributedType.MULTI_GPU)
    torch.cuda.set_device = lambda *_: None  # axolotl's loader selects the device of its rank
    fsdp = {"cpu_ram_efficient_loading": ram_efficient, "state_dict_type": state_dict}
    fsdp |= {"transformer_layer_cls_to_wrap": "LlamaDecoderLayer"}
    return arguments(fsdp=True, fsdp_config=fsdp, **others)


def arguments(*, save: bool = True, **others: Any) -> TrainingArguments:
    """Return the Trainer's arguments after starting the process group."""
    made = TrainingArguments(
        "out",
        max_steps=STEPS,
        save_strategy="steps" if save else "no",
        save_steps=STEPS,
        per_device_train_batch_size=PER_RANK,
        learning_rate=RATE,
        lr_scheduler_type="constant",
        max_grad_norm=0.0,  # clipping would be one more thing in which runs can differ
        report_to=[],
        disable_tqdm=True,
        **others,
    )
    _ = made.device  # starts the process group: loaders ask it which rank they are
    return made


def stop() -> None:
    """End the process group in order: gloo aborts at exit otherwise."""
    dist.barrier()
    dist.destroy_process_group()


def write_base_model(width: int) -> None:
    """Let rank 0 write the base model; all ranks of a step share its folder."""
    if dist.get_rank() == 0:
        torch.manual_seed(0)
        sizes = {"hidden_size": width, "intermediate_size": 64, "vocab_size": VOCABULARY}
        depth = {"num_hidden_layers": 2, "num_attention_heads": 4}
        config = LlamaConfig(**sizes, **depth, tie_word_embeddings=False)
        LlamaForCausalLM(config).save_pretrained("base")
    dist.barrier()


def load(*, ram_efficient: bool = True) -> PeftModel:
    """Place the base model as axolotl does: weights on local rank 0, shapes only on the others."""
    write_base_model(width=32)
    device = "cpu" if os.environ["LOCAL_RANK"] == "0" or not ram_efficient else "meta"
    base = LlamaForCausalLM.from_pretrained("base", device_map=device)
    torch.manual_seed(0)
    # PEFT puts A and B where their base layer is.
    return get_peft_model(base, LoraConfig(r=RANK, target_modules=MODULES))


def axolotl_config(*, ram_efficient: bool = True, four_bit: bool = False) -> Any:
    """Return what axolotl's own schema makes of a configuration as in configs/."""
    from axolotl.utils.config import normalize_config, validate_config
    from axolotl.utils.dict import DictDefault

    fsdp = {"cpu_ram_efficient_loading": ram_efficient, "state_dict_type": "SHARDED_STATE_DICT"}
    fsdp |= {"transformer_layer_cls_to_wrap": "LlamaDecoderLayer"}
    fsdp |= {"auto_wrap_policy": "TRANSFORMER_BASED_WRAP", "reshard_after_forward": True}
    written = {"base_model": "base", "fsdp_version": 2, "fsdp_config": fsdp}
    written |= {"adapter": "qlora" if four_bit else "lora", "load_in_4bit": four_bit}
    written |= {"lora_r": RANK, "lora_alpha": RANK, "lora_target_modules": MODULES}
    written |= {"datasets": [{"path": "unused.jsonl", "type": "alpaca"}], "sequence_len": 64}
    written |= {"micro_batch_size": PER_RANK, "gradient_accumulation_steps": 1, "max_steps": STEPS}
    written |= {"optimizer": "adamw_torch", "learning_rate": RATE, "bf16": False, "fp16": False}
    config = validate_config(DictDefault(written))
    normalize_config(config)
    return config


def load_with_axolotl(**options: bool) -> PeftModel:
    """Load through axolotl's own `ModelLoader`."""
    from axolotl.loaders.model import ModelLoader

    write_base_model(width=64)
    config = axolotl_config(**options)
    torch.manual_seed(0)
    return ModelLoader(config, Tokenizer()).load()[0]


class Tokenizer:
    """The little that axolotl's loader asks of a tokenizer."""

    pad_token_id, bos_token_id, eos_token_id, padding_side = 0, 1, 2, "right"

    def __len__(self) -> int:
        return VOCABULARY


class AdapterWatch(TrainerCallback):
    """Counts on every rank the adapters that its optimizer holds, and those that training moved."""

    def on_train_begin(self, *_: Any, model: Any, optimizer: Any, **__: Any) -> None:
        """Remember the adapters as `Accelerator.prepare` left them."""
        self.adapters = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.before = {n: p.to_local().detach().clone() for n, p in self.adapters.items()}
        self.held = {id(p) for group in optimizer.param_groups for p in group["params"]}

    def on_step_end(self, _args: Any, state: Any, *_: Any, optimizer: Any, **__: Any) -> None:
        """After the last step and before the checkpoint: record a row for every rank."""
        if state.global_step < STEPS:
            return
        moved = [not torch.equal(self.before[n], p.to_local()) for n, p in self.adapters.items()]
        row = {"rank": dist.get_rank(), "adapters": len(self.adapters)}
        row["in_optimizer"] = sum(id(p) in self.held for p in self.adapters.values())
        row |= {"with_state": len(optimizer.state), "moved": sum(moved)}
        rows: list[dict[str, int]] = [{}] * dist.get_world_size()
        dist.all_gather_object(rows, row)
        if row["rank"] == 0:
            trained = sum(row["moved"] for row in rows) / sum(row["adapters"] for row in rows)
            with_state = sum(row["with_state"] > 0 for row in rows)
            measure(ranks=rows, trained=trained, ranks_with_state=with_state, world=len(rows))


class EveryRankTrains(TrainerCallback):
    """Stops a run whose optimizer, on any rank, has lost parameters that are to be trained."""

    def on_train_begin(self, args: Any, *_: Any, model: Any, optimizer: Any, **__: Any) -> None:
        """Compare what requires a gradient with what the optimizer holds."""
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        lost = [n for n, p in model.named_parameters() if p.requires_grad and id(p) not in held]
        if lost:
            what = f"{len(lost)} trainable parameters are not in the optimizer, such as {lost[0]}"
            raise RuntimeError(f"rank {args.process_index}: {what}")


def samples() -> list[dict[str, Tensor]]:
    """Return as many samples as all ranks take in a step, so that their order does not matter."""
    generator = torch.Generator().manual_seed(1)
    size = (PER_RANK * dist.get_world_size(), 16)
    rows = torch.randint(VOCABULARY, size, generator=generator)
    return [{"input_ids": row, "labels": row} for row in rows]


def train(model: PeftModel, args: TrainingArguments, *callbacks: TrainerCallback) -> Trainer:
    """Train with transformers' own Trainer: optimizer first, then `Accelerator.prepare`."""
    trainer = Trainer(model=model, args=args, train_dataset=samples(), callbacks=[*callbacks])
    trainer.train()
    return trainer


def difference(adapters: Mapping[str, Tensor], begin: PeftModel) -> float:
    """Return the largest difference from training in one process, without FSDP."""
    trainable = {n: p for n, p in begin.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(trainable.values(), lr=RATE, weight_decay=0.0)
    batch = torch.stack([sample["input_ids"] for sample in samples()])
    for _ in range(STEPS):
        optimizer.zero_grad()
        begin(input_ids=batch, labels=batch).loss.backward()
        optimizer.step()
    return max(float((adapters[n] - p).abs().max()) for n, p in trainable.items())


def zero_rows(adapters: Mapping[str, Tensor]) -> float:
    """Return the share of the rows of B that are zero, as PEFT initialises them."""
    rows = [row for name, b in adapters.items() if "lora_B" in name for row in b]
    return sum(not row.any() for row in rows) / len(rows)


def train_and_compare(model: PeftModel, args: TrainingArguments) -> dict[str, Any]:
    """Train, gather the adapters on rank 0 and compare them with training in one process."""
    begin = copy.deepcopy(model) if dist.get_rank() == 0 else None
    trainer = train(model, args, AdapterWatch())
    options = StateDictOptions(full_state_dict=True, cpu_offload=True, ignore_frozen_params=True)
    adapters = get_model_state_dict(trainer.model, options=options)
    seen: dict[str, Any] = {}
    if begin is not None:
        optimizer = CHECKPOINT / "optimizer_0" / ".metadata"
        seen = {"difference": difference(adapters, begin), "optimizer_saved": optimizer.is_file()}
        seen["zero_rows"] = zero_rows(adapters)
    stop()
    return seen
