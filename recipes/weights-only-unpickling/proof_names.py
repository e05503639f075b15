"""What a file would import, and which names NumPy 1 writes into it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from failure import save
from numpy.core.multiarray import scalar  # numpy._core of NumPy 2, in releases of both

from fixbook.recipe import measure, run_snippet, snippet


def started_with_the_variable(lines: str, says: str) -> dict[str, Any]:
    """Start these lines by the page's line."""
    Path("train.py").write_text(lines, "utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = run_snippet("variable", env={"PATH": path})
    return {"exit": done.returncode, "loaded": says in done.stdout}


def load(*, plain: bool = False, code: str = "", variable: bool = False) -> dict[str, Any]:
    """Save a checkpoint, load it, with this code of the page if any, and say what came back."""
    if plain:
        args = argparse.Namespace(lr=1e-3, layers=2)
        snippet("plain", model=torch.nn.Linear(4, 4), args=args, path="run.pt")
    else:
        save(Path("run.pt"))
    if variable:
        lines = "import torch\nprint('lr', torch.load('run.pt')['args'].lr)\n"
        return started_with_the_variable(lines, "lr 0.001")
    checkpoint = snippet(code, path="run.pt")["checkpoint"] if code else torch.load("run.pt")
    loaded = checkpoint["args"]
    values = loaded if isinstance(loaded, dict) else vars(loaded)
    return {"type": type(loaded).__name__, "lr": values["lr"]}


def look(args: Any, *, allow: bool = False, old: bool = False) -> dict[str, Any]:
    """List what the page lists of a file that holds this.

    Args:
        args: What it holds beside a weight.
        allow: That name is allowed.
        old: The file has the format of before torch 1.6.
    """
    kept = {"weight": torch.ones(2), "args": args}
    torch.save(kept, "run.pt", _use_new_zipfile_serialization=not old)
    with torch.serialization.safe_globals([type(args)] if allow else []):
        names = snippet("look", path="run.pt")["names"]
    return {"found": bool(names), "names": names}


def look_at_states(*, old: bool = False) -> dict[str, Any]:
    """List what the page lists of the usual sound files: a model, an optimizer, a schedule."""
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    names = []
    for part in (model, optimizer, schedule):
        kept = part.state_dict()
        torch.save(kept, "state.pt", _use_new_zipfile_serialization=not old)
        names += snippet("look", path="state.pt")["names"]
    return {"found": bool(names), "names": names}


def load_state_of_numpy() -> None:
    """Save NumPy's random state, say its names, and load it."""
    torch.save({"numpy": np.random.get_state()}, "rng.pth")  # noqa: NPY002 - what libraries save
    measure(names=sorted(torch.serialization.get_unsafe_globals_in_checkpoint("rng.pth")))
    torch.load("rng.pth")


def load_loss(*classes: Any) -> dict[str, Any]:
    """Load a loss that NumPy averaged, with its names allowed, and these classes."""
    torch.save({"loss": np.mean([0.5, 1.5])}, "run.pt")
    measure(names=sorted(torch.serialization.get_unsafe_globals_in_checkpoint("run.pt")))
    names = [np.dtype, scalar]
    with torch.serialization.safe_globals([*names, *classes]):
        return {"loss": float(torch.load("run.pt")["loss"])}


def save_loss_scaler() -> None:
    """Save the object that DeepSpeed's own states hold."""
    from deepspeed.runtime.fp16.loss_scaler import LossScaler

    torch.save({"loss_scaler": LossScaler(scale=8.0)}, "states.pt")


def load_states(*, variable: bool = False, engine: bool = False) -> dict[str, Any]:
    """Load DeepSpeed's states in a script that leaves the argument out, as older releases do.

    Args:
        variable: Start the script by the page's line.
        engine: Load as today's DeepSpeed does.
    """
    from deepspeed.runtime.checkpoint_engine.torch_checkpoint_engine import TorchCheckpointEngine

    save_loss_scaler()
    if engine:
        return {"scale": TorchCheckpointEngine().load("states.pt")["loss_scaler"].cur_scale}
    lines = "import torch\nprint('scale', torch.load('states.pt')['loss_scaler'].cur_scale)\n"
    if not variable:
        exec(compile(lines, "train.py", "exec"))  # noqa: S102  (the same script, in this process)
        return {}
    return started_with_the_variable(lines, "scale 8.0")
