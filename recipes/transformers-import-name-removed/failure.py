"""Code that imports a name which the installed transformers may not have."""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM

OLD_CODE = """
from transformers import LlamaForCausalLM
from transformers.utils.import_utils import is_torch_fx_available


class OldModel(LlamaForCausalLM):
    pass
"""


def imported(name: str, source: str = "transformers") -> Any:
    """Import a name as a script does."""
    names: dict[str, Any] = {}
    exec(f"from {source} import {name}", names)  # noqa: S102
    return names[name]


def save(model: Any, folder: str) -> None:
    """Save a model with code of its own beside it, written for transformers 4."""
    model.save_pretrained(folder)
    path = Path(folder, "config.json")
    named = {"auto_map": {"AutoModelForCausalLM": "old_model.OldModel"}}
    path.write_text(json.dumps(json.loads(path.read_text()) | named))
    Path(folder, "old_model.py").write_text(OLD_CODE)


def load(folder: str) -> Any:
    """Load a model with the code beside it."""
    return AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True)


def said(model: Any) -> torch.Tensor:
    """Return what a model says to a prompt."""
    with torch.no_grad():
        logits: torch.Tensor = model(torch.arange(1, 9)[None]).logits
    return logits
