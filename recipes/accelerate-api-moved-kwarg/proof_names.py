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

os.environ["ACCELERATE_USE_CPU"] = "true"  # the page's lines choose no device
# Arguments of calls and attributes, old ones first, with what is asked for.
CALLS: dict[str, Any] = {
    "Accelerator(dispatch_batches)": False,
    "Accelerator(even_batches)": False,
    "Accelerator(use_seedable_sampler)": True,
    "Accelerator(logging_dir)": "runs",
    "Accelerator.use_fp16": None,
    "DataLoaderConfiguration(dispatch_batches)": False,
    "DataLoaderConfiguration(even_batches)": False,
    "DataLoaderConfiguration(use_seedable_sampler)": True,
    "Accelerator(project_dir)": "runs",
    "Accelerator.mixed_precision": None,
    "Accelerator.unwrap_model(keep_torch_compile)": False,
}
# Names to import, likewise.
IMPORTS = (
    "accelerate.utils.is_safetensors_available",
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
    """Make the object with the argument, or read its attribute."""
    made = imported("Accelerator")
    if "unwrap_model" in name:
        made().unwrap_model(torch.nn.Linear(1, 1), **{bare: CALLS[name]})
    elif "(" not in name:
        getattr(made(), bare)
    elif name.startswith("DataLoaderConfiguration"):
        given = imported("DataLoaderConfiguration", "accelerate.utils")
        made(dataloader_config=given(**{bare: CALLS[name]}))
    else:
        made(**{bare: CALLS[name]})


def ask() -> dict[str, Any]:
    """Ask the installed release about every name, and the page's check about a script."""
    rows = [{"name": name, "does": does(name)} for name in (*CALLS, *IMPORTS)]
    return {"names": rows, **checked("dispatch_batches")}


def checked(name: str) -> dict[str, Any]:
    """Ask the page's check about an argument of Accelerator."""
    unknown = snippet("unknown")["unknown"](imported("Accelerator"), name)
    return {"found": bool(unknown), "unknown": ", ".join(unknown)}


def run(place: str) -> dict[str, Any]:
    """Evaluate with batches that need not be even, and see how many rows were read.

    Args:
        place: Where the option goes: ``accelerator``, ``config``, ``nowhere``, or ``as-printed``.
    """
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
    measure(accelerate=version("accelerate"))
    return {"folder": imported("Accelerator")(**{name: "runs"}).logging_dir}


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
    return {"trained": any(not one.equal(old) for one, old in zip(wanted, before, strict=True))}
