"""What was done before a LoRA is loaded, and what the libraries take for usable."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from failure import add_lora, exchange, load_lora, pipeline, uninstall

from fixbook.recipe import measure, run_snippet, snippet
from fixbook.recipe.helpers import beside, exit_code


def save() -> None:
    """Write a base, and the adapter into the same folder, as a training writes both."""
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaForCausalLM

    from fixbook.recipe.helpers import tiny_llama

    tiny_llama().save_pretrained("base")
    base: Any = LlamaForCausalLM.from_pretrained("base")
    lora = LoraConfig(target_modules=["q_proj"], init_lora_weights=False)
    get_peft_model(base, lora).save_pretrained("base")


def measured() -> None:
    """Write down which peft is found now."""
    there = importlib.util.find_spec("peft") is not None
    measure(peft=version("peft") if there else "none")


def diffusion(session: str = "") -> dict[str, Any]:
    """Load a LoRA into a pipeline.

    Args:
        session: ``missing`` takes peft away before diffusers is imported; ``installed`` brings it
            back afterwards.
    """
    folders = uninstall() if "missing" in session else None
    pipe = pipeline()
    if folders and "installed" in session:
        exchange(*reversed(folders))
    measured()
    return {"tensors": load_lora(pipe)}


def language(session: str = "") -> dict[str, Any]:
    """Add a LoRA to a language model.

    Args:
        session: ``asked`` has transformers load a model while peft is not there; ``installed``
            installs it before that; ``upgraded`` runs the page's command first.
    """
    from fixbook.recipe.helpers import tiny_llama

    if session == "upgraded":
        upgrade()
    model = started(session) if session not in {"", "upgraded"} else tiny_llama()
    measured()
    return {"tensors": add_lora(model)}


def upgrade() -> None:
    """Run the page's command with this Python and no index, so that it installs nothing."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    assert run_snippet("upgrade", env=env).returncode == 0


def started(session: str) -> Any:
    """Load a model in a process that began without peft, which has it at the end."""
    from fixbook.recipe.helpers import tiny_llama

    folders = uninstall()
    if "asked" not in session:
        exchange(*reversed(folders))
    from transformers import LlamaForCausalLM

    tiny_llama().save_pretrained("plain")
    model = LlamaForCausalLM.from_pretrained("plain")
    if "asked" in session:
        exchange(*reversed(folders))
    return model


def ask(session: str = "") -> dict[str, Any]:
    """Ask the page's check what is taken for usable."""
    if "missing" in session:
        uninstall()
    if "diffusers" in session:
        pipeline()
    elif session:
        started(session)
    found = snippet("seen")["seen"]
    return {"found": not all(found.values()), "saw": str(found)}


def folder(session: str = "") -> dict[str, Any]:
    """Load a folder that holds a base and an adapter, and ask the page's check."""
    with beside(save) as writer:
        assert exit_code(writer, 90) == 0  # it imports torch and both libraries
    if "missing" in session:
        uninstall()
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained("base")
    try:
        snippet("loaded", model=model)
    except AssertionError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}
