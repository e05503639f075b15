"""A small Llama that bitsandbytes has really quantised, and the page's look at a folder."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any

from transformers import AutoModelForCausalLM, BitsAndBytesConfig

from fixbook.recipe import snippet
from fixbook.recipe.helpers import tiny_llama


def save_four_bits() -> None:
    """Save one in four bits, as QLoRA and its tools do."""
    sys.modules.pop("bitsandbytes", None)
    tiny_llama().save_pretrained("WHOLE")
    four = BitsAndBytesConfig(load_in_4bit=True)  # type: ignore[no-untyped-call]
    AutoModelForCausalLM.from_pretrained("WHOLE", quantization_config=four).save_pretrained("MODEL")


def look() -> dict[str, Any]:
    """Look at MODEL as the page does."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("plugins")
    return {"found": done["method"] not in done["plugins"], "said": printed.getvalue().strip()}
