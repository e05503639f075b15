"""Mistakes with files, data sets and settings, as training scripts make them."""

from __future__ import annotations

import importlib
import json
import os
import pickle
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset


class BadBatchError(Exception):
    """What a data set raises by itself."""


class _Rows(Dataset[Any]):
    def __init__(self, mistake: str) -> None:
        self.mistake = mistake

    def __len__(self) -> int:
        return 8

    def __getitem__(self, at: int) -> Any:
        row = {"text": "a" * at}
        if self.mistake == "key":
            return row["messages"]
        if self.mistake == "own":
            raise BadBatchError(f"row {at} of shard 00017 has no answer")
        return torch.zeros(at + 1)


def key_in_a_worker() -> None:
    """A column that is called otherwise, in a process of the loader."""
    next(iter(DataLoader(_Rows("key"), num_workers=1)))


def key_in_the_process() -> None:
    """The same without workers."""
    next(iter(DataLoader(_Rows("key"))))


def error_of_the_project() -> None:
    """An exception that no library knows."""
    next(iter(DataLoader(_Rows("own"), batch_size=2)))


def rows_of_unequal_length() -> None:
    """The default collation stacks."""
    next(iter(DataLoader(_Rows("length"), batch_size=4)))


def broken_json_line() -> None:
    """A line that another process was still writing."""
    json.loads('{"text": "the quick brown')


def not_utf8() -> None:
    """A corpus in another encoding."""
    b"caf\xe9 au lait".decode("utf-8")


def no_such_checkpoint() -> None:
    """The last checkpoint was cleared away."""
    torch.load("checkpoints/step_004000/model.pt")


def not_a_folder() -> None:
    """A file stands where the folder should be."""
    Path("cache").write_text("", "ascii")
    os.listdir("cache")


def module_is_missing() -> None:
    """Only this machine lacks a package."""
    importlib.import_module("flash_attn_interface")


def weights_only() -> None:
    """A checkpoint that holds more than tensors."""
    torch.save({"args": BadBatchError("x")}, f"state-{os.getpid()}.pt")
    torch.load(f"state-{os.getpid()}.pt")


def truncated_pickle() -> None:
    """A cache that was cut off."""
    pickle.loads(pickle.dumps(list(range(100)))[:40])


def no_batches() -> None:
    """Fewer rows than ranks."""
    seen: list[float] = []
    print("mean loss", sum(seen) / len(seen))


def none_has_no_shape() -> None:
    """A function that forgot to return."""
    masks: dict[str, torch.Tensor] = {}
    print(masks.get("attention").shape)  # type: ignore[union-attr]


def unknown_argument() -> None:
    """A call written for another release."""
    torch.optim.AdamW([torch.zeros(1, requires_grad=True)], lr=1e-3, fused_step=True)  # type: ignore[call-arg]


def sequence_too_long() -> None:
    """An assertion with its figures."""
    tokens, longest = 4097, 4096
    assert tokens <= longest, f"sequence of {tokens} tokens, at most {longest}"


def recipe_from_settings() -> None:
    """A cause below what is raised: the setting that is missing."""
    settings = {"lr": 1e-4}
    try:
        settings["warmup"]
    except KeyError as error:
        raise RuntimeError("cannot build the schedule") from error


def failure_while_failing() -> None:
    """A second exception in the handling of the first."""
    try:
        int("4,096")
    except ValueError:
        Path("/nonexistent/run/failed.txt").write_text("failed", "ascii")


def endless_recursion() -> None:
    """A configuration that includes itself."""

    def resolve(name: str) -> str:
        return resolve(name)

    resolve("base")


def script_says_why() -> None:
    """The script ends by itself."""
    raise SystemExit("ValueError: global batch 250 is not a multiple of 4 ranks")
