"""Checkpoints as the libraries write them, and what the rules say of a folder of them."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint.state_dict_saver import save as save_shards

from fixbook.run_files.checkpoints import series_in
from fixbook.run_files.walk import files_of
from fixbook.run_files.weights import judge_weights


def weights(seed: int = 0) -> dict[str, torch.Tensor]:
    torch.manual_seed(seed)
    return {"a.weight": torch.randn(7, 5), "b.weight": torch.randn(3).to(torch.bfloat16)}


def judge(root: Path, notes: list[str] | None = None) -> list[str]:
    told: list[str] = [] if notes is None else notes
    series = series_in(root, files_of(root, told))
    return [one.rule for some in series for one in judge_weights(some, told, lambda _n: None)]


def write_safetensors(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    save_file(tensors, folder / "model.safetensors")


def write_bin(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    torch.save(OrderedDict(tensors), folder / "pytorch_model.bin")


def write_loop(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    state = {"step": 3, "optim": torch.optim.AdamW([torch.zeros(1)]).state_dict()}
    model = {name: one.t() for name, one in tensors.items()}
    torch.save({"model": model, **state}, folder / "s.pt")


def write_dcp(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is but one process
        save_shards({"model": tensors, "step": 3}, checkpoint_id=folder / "shards", no_dist=True)


Write = Callable[[Path, dict[str, torch.Tensor]], None]
WRITERS = [write_safetensors, write_bin, write_loop, write_dcp]
