"""The page's question, and the page's padding."""

from __future__ import annotations

from typing import Any

from failure import heads, tokens

from fixbook.recipe import measure, snippet

GIVEN = {
    "gpus": 16, "tensor": 4, "pipeline": 2, "context": 1, "expert": 1, "expert_tensor": None,
    "heads": 28, "key_values": 4, "layers": 28, "vocab": 152064, "sequence": 4096,
    "micro": 1, "batch": 16,
}  # fmt: skip


def look(**changed: Any) -> dict[str, Any]:
    """Ask the page's question about these sizes."""
    found = snippet("remainders")["remainders"](**{**GIVEN, **changed})
    return {"found": bool(found), "said": ", ".join(found)}


def shared_heads(tensor: int) -> dict[str, Any]:
    """Configure 28 heads and 4 groups, having asked the page's question."""
    measure(**look(tensor=tensor))
    return heads(28, tensor=tensor, key_values=4)


def shared_tokens(count: int, *, padded: bool = False) -> dict[str, Any]:
    """Share a sequence out; ``padded``: by the page's line."""
    if padded:
        count = snippet("pad", length=count, tensor=2)["padded"]
    return tokens(count)
