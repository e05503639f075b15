"""`vllm serve` as far as its configuration, with a method of quantisation in the command."""

from __future__ import annotations

from typing import Any

import proof_vllm  # noqa: F401

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.vllm_workers import configured, write_model

FP8: dict[str, Any] = {"quant_method": "fp8", "activation_scheme": "dynamic"}


def look(asked: str) -> dict[str, Any]:
    """Ask the page's question."""
    method = snippet("method")["method"]
    return {"found": asked not in ("", method), "said": method}


def serve(asked: str = "", *, checkpoint: dict[str, Any] | None = None) -> dict[str, Any]:
    """Serve a checkpoint; ``asked``: the method in the command."""
    write_model(max_position_embeddings=2048, quantization_config=checkpoint)
    measure(**look(asked), asked=asked)
    option = f" --quantization {asked}" if asked else ""
    config = configured(f"vllm serve MODEL{option}")
    return {"method": str(config.model_config.quantization)}
