"""What imports generated code: a writer of logs, a Trainer, a tokenizer, wandb."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import torch

from fixbook.recipe.helpers import tiny_llama


def write() -> None:
    """Write a loss for tensorboard."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter("runs/own") as writer:
        writer.add_scalar("loss", 1.0, 3)


def train() -> Any:
    """Train two steps with logs for tensorboard, and return the loss."""
    from transformers import Trainer, TrainingArguments

    rows = [{"input_ids": torch.arange(8), "labels": torch.arange(8)}] * 4
    options = TrainingArguments(
        "out", max_steps=2, logging_steps=1, report_to="tensorboard", save_strategy="no"
    )
    return Trainer(tiny_llama(), options, train_dataset=rows).train().training_loss


def pieces() -> Any:
    """Import the messages of sentencepiece."""
    from sentencepiece import sentencepiece_model_pb2

    return sentencepiece_model_pb2


def events(folder: str) -> list[str]:
    """Return the files of events below a folder."""
    return [one.name for one in Path(folder).rglob("events.out.tfevents.*")]


def generate() -> Any:
    """Generate code for a message by grpcio-tools, and import it."""
    from grpc_tools import protoc  # type: ignore[import-not-found]

    Path("ask.proto").write_text('syntax = "proto3"; message Ask { string text = 1; }')
    protoc.main(["protoc", "-I.", "--python_out=.", "ask.proto"])
    sys.path.insert(0, ".")
    return importlib.import_module("ask_pb2")
