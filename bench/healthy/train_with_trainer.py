"""Train with the Trainer of transformers, in the ways that people switch on and off."""

# ruff: noqa: PLC0415 (only some runs need it)
from __future__ import annotations

import argparse
import tempfile
import warnings
from pathlib import Path

from small_model import Sentences, small_llama
from transformers import Trainer, TrainingArguments
from transformers.utils import logging


def main() -> None:
    """Train once, or twice with a checkpoint between."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--verbosity", default="warning")
    parser.add_argument("--workers", type=int, default=0)
    for flag in (
        "lora",
        "checkpointing",
        "evaluate",
        "save",
        "compile",
        "bf16",
        "resume",
        "no-bar",
    ):
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    getattr(logging, f"set_verbosity_{options.verbosity}")()
    if options.verbosity != "warning":
        warnings.simplefilter("always")
    model = small_llama()
    if options.lora:
        from peft import LoraConfig, get_peft_model

        model = get_peft_model(model, LoraConfig(target_modules="all-linear", r=4))
        model.print_trainable_parameters()
        model.enable_input_require_grads()
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            folder,
            max_steps=options.steps,
            logging_steps=1,
            per_device_train_batch_size=2,
            use_cpu=True,
            report_to="none",
            bf16=options.bf16,
            disable_tqdm=options.no_bar,
            torch_compile=options.compile,
            gradient_checkpointing=options.checkpointing,
            dataloader_num_workers=options.workers,
            eval_strategy="steps" if options.evaluate else "no",
            eval_steps=50,
            save_strategy="steps" if options.save or options.resume else "no",
            save_steps=50,
            save_total_limit=2,
        )
        rows = Sentences(2 * options.steps)
        trainer = Trainer(model, arguments, train_dataset=rows, eval_dataset=Sentences(40))
        trainer.train()
        if options.resume:
            arguments.max_steps += 100
            last = max(Path(folder).glob("checkpoint-*"), key=lambda path: path.stat().st_mtime)
            Trainer(model, arguments, train_dataset=rows).train(resume_from_checkpoint=str(last))


if __name__ == "__main__":
    main()
