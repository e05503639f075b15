"""Runs one row through a model: what flash attention is handed, and which documents meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import proof_flash_attn
import torch

from fixbook.recipe import snippet

if TYPE_CHECKING:
    from collections.abc import Callable

_GUARD = re.compile(r"cu_seqlens ends at (?P<end>\d+) but q has (?P<rows>\d+) rows")


def flattened() -> dict[str, Any]:
    """What the page offers for copying, as it is printed there."""
    from failure import DOCUMENTS

    return dict(snippet("flatten", documents=DOCUMENTS)["batch"])


def look(pack: str | Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run one row behind the guard.

    Args:
        pack: How the documents are put together: a name in failure.py, or a function.
    """
    kernel = guarded()
    import failure

    batch = pack() if callable(pack) else failure.PACKS[pack]()
    model = failure.model().eval()
    seen = run(kernel, model, batch)
    if batch.get("attention_mask") is not None:
        seen["mask_max"] = int(batch["attention_mask"].max())
    if batch["input_ids"].shape[1] >= failure.LAST.stop and not seen["found"]:
        test = snippet("documents-meet")["documents_meet"]
        seen["documents_meet"] = test(model, batch, failure.FIRST, failure.LAST)
    return seen


def meet(pack: str | Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run one row, and find whether its documents see each other."""
    seen = look(pack)
    return seen | {"found": seen["documents_meet"]}


def guarded() -> proof_flash_attn.Kernel:
    """Install the stand-in, and before it the guard as the page prints it."""
    kernel = proof_flash_attn.install()
    snippet("guard")
    proof_flash_attn.look_again()
    return kernel


@torch.no_grad()
def run(
    kernel: proof_flash_attn.Kernel, model: torch.nn.Module, batch: dict[str, Any]
) -> dict[str, Any]:
    """Run a batch; return what the guard said, or what the kernel got."""
    try:
        model(**batch)
    except RuntimeError as error:
        said = _GUARD.search(str(error))
        if said is None:
            raise
        return {"found": True, "end": int(said["end"]), "rows": int(said["rows"])}
    return {"found": False, "rows": kernel.rows, "offsets": kernel.offsets}
