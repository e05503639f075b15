"""Which names the installed accelerate takes, asked of them; and what comes of a change."""

from __future__ import annotations

import os
import warnings
from importlib.metadata import version
from typing import Any

import torch
from failure import evaluated, fine_tuned, imported, with_adapter
from transformers.utils import import_utils

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama

# Arguments of calls, old ones first, with what is asked for.
CALLS: dict[str, Any] = {
    "Accelerator(dispatch_batches)": False,
    "Accelerator(even_batches)": False,
    "Accelerator(use_seedable_sampler)": True,
    "Accelerator(logging_dir)": "runs",
    "DataLoaderConfiguration(dispatch_batches)": False,
    "DataLoaderConfiguration(even_batches)": False,
    "DataLoaderConfiguration(use_seedable_sampler)": True,
    "Accelerator(project_dir)": "runs",
    "Accelerator.unwrap_model(keep_torch_compile)": False,
}
# Names to import, likewise.
IMPORTS = (
    "accelerate.utils.is_tpu_available",
    "accelerate.utils.shard_checkpoint",
    "accelerate.utils.check_fp8_capability",
    "accelerate.utils.is_ipex_available",
    "accelerate.utils.is_torch_xla_available",
    "accelerate.utils.check_cuda_fp8_capability",
    "accelerate.utils.memory.clear_device_cache",
)
REFUSALS = ("unexpected keyword argument", "cannot import name", "has no attribute")


def does(name: str) -> str:
    """Tell what the installed release does with a name: takes it, warns of it or refuses it."""
    bare = name.rstrip(")").rpartition("(")[2].rpartition(".")[2]
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if name in CALLS:
                use(name, bare)
            else:
                imported(bare, name.rpartition(".")[0])
    except (TypeError, ImportError, AttributeError) as error:
        if not any(refusal in str(error) for refusal in REFUSALS):
            raise
        return "refuses"
    said = [str(one.message) for one in caught if "deprecated" in str(one.message)]
    return "warns" if any(bare in text for text in said) else "takes"


def use(name: str, bare: str) -> None:
    """Make the object with the argument, or call its method with it."""
    made = imported("Accelerator")
    if "unwrap_model" in name:
        made().unwrap_model(torch.nn.Linear(1, 1), **{bare: CALLS[name]})
    elif name.startswith("DataLoaderConfiguration"):
        given = imported("DataLoaderConfiguration", "accelerate.utils")
        made(dataloader_config=given(**{bare: CALLS[name]}))
    else:
        made(**{bare: CALLS[name]})


def ask() -> dict[str, Any]:
    """Ask the installed release about every name, and the page's check about an argument."""
    use_cpu()
    rows = [{"name": name, "does": does(name)} for name in (*CALLS, *IMPORTS)]
    return {"names": rows, **checked("dispatch_batches")}


def use_cpu() -> None:
    """Let Accelerator take the CPU: the page's lines choose no device."""
    os.environ["ACCELERATE_USE_CPU"] = "true"


def checked(name: str, method: str = "") -> dict[str, Any]:
    """Ask the page's check about an argument of Accelerator, or of one of its methods."""
    call = imported("Accelerator")
    call = getattr(call, method) if method else call
    unknown = snippet("unknown")["unknown"](call, name)
    return {"found": bool(unknown), "unknown": ", ".join(unknown)}


def run(place: str) -> dict[str, Any]:
    """Evaluate with batches that need not be even, and see how many rows were read.

    Args:
        place: Where the option goes: ``accelerator``, ``config``, ``nowhere``, or ``as-printed``.
    """
    use_cpu()
    option: dict[str, Any] = {"even_batches": False}
    if place == "as-printed":
        made = snippet("moved")["accelerator"]
    elif place == "config":
        config = imported("DataLoaderConfiguration", "accelerate.utils")
        made = imported("Accelerator")(dataloader_config=config(**option))
    else:
        made = imported("Accelerator")(**(option if place == "accelerator" else {}))
    loader, mean, rows = evaluated(made)
    measure(accelerate=version("accelerate"), even=made.even_batches)
    return {"rows": rows, "mean": mean, **repeated(made, loader)}


def repeated(accelerator: Any, loader: Any) -> dict[str, Any]:
    """Ask the page's check whether rows are read twice."""
    try:
        snippet("repeated", accelerator=accelerator, loader=loader)
    except AssertionError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


def logged(name: str) -> dict[str, Any]:
    """Name the folder of the logs, and see where it is."""
    use_cpu()
    measure(accelerate=version("accelerate"))
    return {"folder": imported("Accelerator")(**{name: "runs"}).logging_dir}


def configured() -> dict[str, Any]:
    """The folder of the logs in a ProjectConfiguration; and beside one, to no effect."""
    project_dir = logged("project_dir")["folder"]
    made, config = imported("Accelerator"), imported("ProjectConfiguration", "accelerate.utils")
    inside = made(project_config=config(project_dir="out", logging_dir="runs"))
    beside = made(project_dir="runs", project_config=config(project_dir="out"))
    return {
        "folder": inside.logging_dir,
        "beside": beside.logging_dir,
        "project_dir": project_dir,
    }


def trained(*, adapter: bool = False) -> dict[str, Any]:
    """Train a small model with the Trainer, and see whether its weights moved."""
    packages = ["accelerate", "transformers", *(["peft"] if adapter else [])]
    measure(**{name: version(name) for name in packages})
    measure(asks_for=getattr(import_utils, "ACCELERATE_MIN_VERSION", ""))
    model = tiny_llama()
    model = with_adapter(model) if adapter else model
    wanted = [one for one in model.parameters() if one.requires_grad]
    before = [one.detach().clone() for one in wanted]
    fine_tuned(model)
    moved = [not one.detach().cpu().equal(old) for one, old in zip(wanted, before, strict=True)]
    return {"trained": any(moved)}


def trained_and_checked(**options: Any) -> dict[str, Any]:
    """Train, and ask the page's check about the argument that the Trainer passes."""
    return trained(**options) | checked("keep_torch_compile", "unwrap_model")
