"""The folders of the steps, and what was loaded from them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from failure import copy, load, save, save_and_die

from fixbook.recipe import backend, device, measure, run_snippet, snippet


def lacking(folder: str) -> list[str]:
    """Ask the page what the folder lacks."""
    found: list[str] = snippet("lacking")["lacking"](folder)
    return found


def copied(*, printed: str = "", look: bool = False) -> dict[str, Any]:
    """Copy a checkpoint; load it, or look at it."""
    save("saved", 1, device())
    Path("copied").mkdir()
    if printed:
        run_snippet(printed).check_returncode()
    else:
        copy("cp saved/* copied/")
    if look:
        names = lacking("copied")
        return {"found": bool(names), "lacking": names}
    measure(lacking=lacking("copied"))
    return {"values": load("copied", device())}


def unfinished(*, printed: str = "") -> dict[str, Any]:
    """Load the newest folder after a save that was killed."""
    save("out/first", 0)  # a name without a number
    save("out/step-1", 1)
    save_and_die("out/step-2", 2)
    measure(newest=sorted(path.name for path in Path("out/step-2").iterdir()))
    folder = "out/step-2"
    if printed:
        folder = snippet(printed, root="out")["folder"]
    measure(lacking=lacking(str(folder)))
    return {"values": load(str(folder)), "folder": str(folder)}


def nested(*, printed: str = "") -> dict[str, Any]:
    """Load a checkpoint that a framework put one folder further down."""
    save("out/step-1/pytorch_model_fsdp_0", 1, device())
    folder = "out/step-1"
    if printed:
        folder = str(Path(run_snippet(printed).stdout.split()[0]).parent)
    measure(lacking=lacking(folder))
    return {"values": load(folder, device()), "folder": folder}


def apart(*, mend: str = "") -> dict[str, Any]:
    """Save on two nodes with a disk each, and load."""
    rank = int(os.environ["RANK"])
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    mine, other = f"node-{rank}", f"node-{1 - rank}"
    save(mine, 1, device())
    dist.barrier()
    measure(saved=sorted(path.name for path in Path("node-1").iterdir()))
    if mend == "metadata" and rank == 1:
        shutil.copy("node-0/.metadata", "node-1/.metadata")
    if mend == "all files":
        shutil.copytree(other, f"all-{rank}")
        shutil.copytree(mine, f"all-{rank}", dirs_exist_ok=True)
        mine = f"all-{rank}"
    dist.barrier()
    measure(on_node_1=Path("node-1/.metadata").is_file(), lacking=lacking(mine))
    values = load(mine, device())
    dist.destroy_process_group()
    return {"values": values}


def overwritten() -> dict[str, Any]:
    """Leave what a killed overwrite leaves: one file of the new save, the rest of the old."""
    save("killed", 1)
    save_and_die("killed", 2)
    measure(metadata_stays=Path("killed/.metadata").is_file())
    save("latest", 1)
    save("newer", 2)
    shutil.copy("newer/__0_0.distcp", "latest/__0_0.distcp")
    names = lacking("latest")
    return {"found": bool(names), "values": sorted(set(load("latest")))}
