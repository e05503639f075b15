"""A model that comes with code of its own, which imports flash_attn."""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM

from fixbook.recipe.helpers import tiny_llama

FOLDER = Path("model")
AT_THE_TOP = "from flash_attn import (\n    flash_attn_func,\n)\n"
NEVER_CALLED = (
    "def fast():\n    from flash_attn import flash_attn_func\n\n    return flash_attn_func\n"
)
OTHER = "import own_package\n"
GUARDED = """
from transformers.utils import is_flash_attn_2_available
if is_flash_attn_2_available():
    from flash_attn import flash_attn_func
"""
CODE = """
from transformers import LlamaForCausalLM


class OwnModel(LlamaForCausalLM):
    pass
"""


def save(imports: str) -> torch.Tensor:
    """Save a tiny model with code beside it, and return what it answers."""
    model = tiny_llama().eval()
    model.save_pretrained(FOLDER)
    config = FOLDER / "config.json"
    named = {"auto_map": {"AutoModelForCausalLM": "modeling_own.OwnModel"}}
    config.write_text(json.dumps(json.loads(config.read_text()) | named))
    (FOLDER / "modeling_own.py").write_text(imports + CODE)
    return answer(model)


def load(**options: Any) -> Any:
    """Load it with its code."""
    return AutoModelForCausalLM.from_pretrained(FOLDER, trust_remote_code=True, **options)


def answer(model: Any) -> torch.Tensor:
    """Return the logits of a prompt."""
    with torch.no_grad():
        logits: torch.Tensor = model(torch.arange(1, 9)[None]).logits
    return logits
