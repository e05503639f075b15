"""Reach for a part of a model by its former name, or as the page says."""

from __future__ import annotations

from typing import Any

import failure
from failure import freeze_vision, language, layers, vision

from fixbook.recipe import snippet


def layered(kind: str, mend: str = "") -> dict[str, Any]:
    """Count the layers of the text part."""
    model = getattr(failure, kind)()
    if not mend:
        return {"layers": len(layers(model))}
    text = snippet(mend, model=model)["text"]
    return {"layers": len(text.layers), "found": not hasattr(text, "layers")}


def seen(mend: str = "") -> dict[str, Any]:
    """Name the class of the part that reads images."""
    model = failure.qwen()
    part = snippet(mend, model=model)["vision"] if mend else vision(model)
    return {"part": type(part).__name__}


def read() -> dict[str, Any]:
    """Name the class of the text part."""
    return {"part": type(language(failure.qwen())).__name__}


def frozen(mend: str = "") -> dict[str, Any]:
    """Freeze that part, and ask what of it would be trained."""
    model = failure.qwen()
    if mend:
        snippet(mend, model=model)
    else:
        freeze_vision(model)
    rows = [p for name, p in model.named_parameters() if "visual." in name]
    left = sum(p.requires_grad for p in rows)
    return {"found": left > 0, "left": left, "of": len(rows)}


def asked(kind: str) -> dict[str, Any]:
    """Ask where the parts are, as the page does."""
    names = snippet("parts", model=getattr(failure, kind)())
    return {"found": names["deeper"], "decoder": names["decoder"]}
