"""Where the parts of a model come to lie, and what it computes."""

from __future__ import annotations

from typing import Any

import torch
from failure import load, save

from fixbook.recipe import measure, snippet

IDS = torch.arange(8)[None]


def run(*, lines: str = "", saved_in_4_bits: bool = False, **changes: Any) -> dict[str, Any]:
    """Load the model, by lines of the page if asked, and hold its logits against 32 bits."""
    save()
    wanted = load(bits=16, place={"": "cpu"})(IDS).logits
    if saved_in_4_bits:
        load(place={"": "cpu"}).save_pretrained("saved")
        changes["base"] = "saved"
    measure(flags=sorted(name for name in changes if name.endswith("_offload")))
    limits = {"max_memory": {"cpu": "150KB"}, "offload_folder": "offload"}
    given = {"base": "base", "dtype": torch.float32, "device": "cpu", "limits": limits}
    return _seen(snippet(lines, **given)["model"] if lines else load(**changes), wanted)


def asked(kilobytes: int, bits: int = 4) -> dict[str, Any]:
    """Ask the page what the model needs, and hold it against what is left of a limit."""
    save()
    need = snippet("need", base="base", bits=bits, dtype=torch.float32)["need"]
    return {"found": need > 0.9 * 1000 * kilobytes, "need_kb": need / 1000}


def _seen(model: Any, wanted: Any) -> dict[str, Any]:
    places = getattr(model, "hf_device_map", None) or {"": str(model.device)}
    with torch.no_grad():
        got = model(IDS).logits
    return {
        "places": sorted({str(place) for place in places.values()}),
        "off_by": ((got - wanted).norm() / wanted.norm()).item(),
    }
