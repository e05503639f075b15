"""What the installed release does with a name, asked of the real classes."""

from __future__ import annotations

import logging
import re
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers
from failure import arguments, from_flags, trainer

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

ARGUMENTS: dict[str, Any] = {
    "evaluation_strategy": "steps",
    "eval_strategy": "steps",
    "warmup_ratio": 0.1,
    "warmup_steps=0.1": 0.1,
    "logging_dir": "runs",
    "no_cuda": True,
    "use_cpu": True,
    "use_mps_device": False,
    "overwrite_output_dir": True,
    "save_safetensors": True,
    "group_by_length": True,
    "train_sampling_strategy": "group_by_length",
    "per_gpu_train_batch_size": 2,
    "per_device_train_batch_size": 2,
    "per_gpu_eval_batch_size": 2,
    "per_device_eval_batch_size": 2,
    "half_precision_backend": "auto",
    "adafactor": True,
    "optim": "adafactor",
    "push_to_hub_token": "none",
    "hub_token": "none",
    "include_inputs_for_metrics": True,
    "include_for_metrics": ["inputs"],
    "include_tokens_per_second": True,
    "include_num_input_tokens_seen": True,
    "dispatch_batches": False,
    "split_batches": False,
    "accelerator_config": {"split_batches": False},
    "torchdynamo": "eager",
    "torch_compile_backend": "eager",
    "jit_mode_eval": False,
}
REFUSED = re.compile("unexpected keyword argument|warmup_steps must be of type int")
SHARES = {"warmup_ratio", "warmup_steps=0.1"}  # of a thousand steps, the rate rises for 100
TRAINERS = ("tokenizer", "processing_class")


class Said(logging.Handler):
    """What the library logs or warns of while it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.text += record.getMessage()


def does(call: Any, name: str, value: Any) -> str:
    """Tell what a call does with an argument: takes it, warns of it or refuses it."""
    said = Said()
    logger = logging.getLogger("transformers")
    logger.addHandler(said)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = call(**{name.partition("=")[0]: value})
            getattr(made, "train_batch_size", None), getattr(made, "eval_batch_size", None)
    except (TypeError, ValueError) as error:
        if not REFUSED.search(str(error)):
            raise
        return "refuses"
    finally:
        logger.removeHandler(said)
    if name in SHARES and made.get_warmup_steps(1000) != 1000 * value:
        return "drops"
    said.text += " ".join(str(one.message) for one in caught)
    return "warns" if name in said.text else "takes"


def ask(*, trainers: bool = False) -> dict[str, Any]:
    """Ask the installed release about every name, and the page's check about one of them."""
    rows = [{"name": name, "does": does(arguments, name, v)} for name, v in ARGUMENTS.items()]
    for name in TRAINERS if trainers else ():
        done = does(make, name, tiny_tokenizer())
        rows.append({"name": f"Trainer({name})", "does": done})
    unknown = snippet("unknown")["unknown"](transformers.TrainingArguments, "evaluation_strategy")
    return {"names": rows, "found": bool(unknown)}


def make(**named: Any) -> Any:
    """Make a trainer."""
    return trainer(tiny_llama(), arguments(), **named)


def train(name: str = "") -> dict[str, Any]:
    """Train for four steps with the strategy under this name, and count the evaluations."""
    measure(release=transformers.__version__)
    named = {name: "steps"} if name else {}
    args = arguments(max_steps=4, per_device_train_batch_size=2, eval_steps=2, **named)
    made = trainer(tiny_llama(), args)
    made.train()
    return {"evaluations": sum("eval_loss" in row for row in made.state.log_history)}


def check(name: str = "") -> dict[str, Any]:
    """Train, and ask the page's check beforehand whether anything will be evaluated."""
    try:
        snippet("evaluates", args=arguments(**{name: "steps"} if name else {}))
    except AssertionError as error:
        return {**train(name), "found": True, "message": str(error)}
    return {**train(name), "found": False}


def run_the_page() -> dict[str, Any]:
    """Train by the page's lines, and count the evaluations."""
    ids = torch.arange(64).reshape(8, 8)
    rows = [{"input_ids": row, "labels": row} for row in ids]
    names = {"model": tiny_llama(), "tokenizer": tiny_tokenizer(), "train": rows, "test": rows}
    made = snippet("rename", **names)["trainer"]
    made.train()
    return {"evaluations": sum("eval_loss" in row for row in made.state.log_history)}


def give_flag(flag: str) -> dict[str, Any]:
    """Give the strategy as this flag, and see what has become of it."""
    return {"strategy": from_flags(flag, "steps")[0].eval_strategy.value}


def give_tokenizer(name: str) -> dict[str, Any]:
    """Train for one step with a tokenizer of this name, and look for it in what is saved."""
    made = trainer(tiny_llama(), arguments(max_steps=1), **{name: tiny_tokenizer()})
    made.train()
    made.save_model("saved")
    return {"saved": Path("saved", "tokenizer.json").is_file()}


def read_tokenizer(name: str) -> dict[str, Any]:
    """Train for one step with a subclass that reads its tokenizer under this name."""

    class OwnTrainer(transformers.Trainer):  # type: ignore[misc, unused-ignore]
        def compute_loss(self, *args: Any, **options: Any) -> Any:
            seen.append(getattr(self, name).eos_token)
            return super().compute_loss(*args, **options)

    seen: list[str] = []
    transformers.Trainer = OwnTrainer  # type: ignore[misc]
    trainer(tiny_llama(), arguments(max_steps=1), processing_class=tiny_tokenizer()).train()
    return {"eos": seen[0]}
