"""The rows that config.json names, without the rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from failure import read_base
from transformers import AutoConfig

from fixbook.recipe import measure, non_fix
from fixbook.recipe.helpers import tiny_llama


@non_fix("edit-the-base", control="adapter-onto-the-base")
def base_config_edited() -> dict[str, Any]:
    """The weights of the base still have 128 rows."""
    tiny_llama().save_pretrained("base")
    file = Path("base", "config.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"vocab_size": 192}))
    measure(vocab_size=AutoConfig.from_pretrained("base").vocab_size)
    return {"rows": read_base("base").get_input_embeddings().weight.shape[0]}
