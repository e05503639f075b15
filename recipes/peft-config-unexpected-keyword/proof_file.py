"""What a release makes of the file: read off the layers, and off the file itself."""

from __future__ import annotations

import json
from typing import Any

from failure import FILE, NEWER, base, configure, load, save
from peft import get_peft_model

from fixbook.recipe import measure, snippet

# The keys that peft 2275 takes out.
NAMED = ["eva_config", "exclude_modules", "lora_bias"]


def run(
    *,
    rslora: bool = False,
    delete: list[str] | None = None,
    delete_all: bool = False,
    trimmed: bool = False,
) -> dict[str, Any]:
    """Load the adapter, with keys deleted from its file or without, and look at a layer."""
    save(use_rslora=rslora)
    if trimmed:
        snippet("trim")
    drop(*(delete or []))
    while delete_all and (raises := refused()):
        drop(raises)
    measure(keys=len(read()), deleted=len(NEWER) - len(read()))
    return scaling(load())


def drop(*keys: str) -> None:
    """Delete keys from the file."""
    FILE.write_text(json.dumps({key: value for key, value in read().items() if key not in keys}))


def refused() -> str:
    """Load, and return the key that the release raises for, or nothing."""
    try:
        load()
    except TypeError as error:
        return str(error).rsplit("'", 2)[1]
    return ""


def read() -> dict[str, Any]:
    """Return what the file says."""
    return dict(json.loads(FILE.read_text()))


def scaling(model: Any) -> dict[str, Any]:
    """Read off a layer what its update is multiplied with."""
    layers = [m for m in model.modules() if isinstance(getattr(m, "scaling", None), dict)]
    return {"layers": len(layers), "scaling": layers[0].scaling["default"]}


def by_hand(*, by_peft: bool = False) -> dict[str, Any]:
    """Make a configuration of a file that has a key of 2023."""
    save(enable_lora=None)
    config = snippet("from-pretrained")["config"] if by_peft else configure()
    return {"rank": config.r, "alpha": config.lora_alpha}


def needs_more(*, rslora: bool) -> dict[str, Any]:
    """Ask the page's check whether the file can be trimmed for this release."""
    save(use_rslora=rslora)
    try:
        snippet("trim")
    except ValueError as error:
        return {"found": True, "message": str(error)}
    return {"found": False, "keys": len(read())}


def compare() -> dict[str, Any]:
    """Compare releases as the page does."""
    save()
    seen = snippet("releases")
    wrote, installed = str(seen["wrote"]), str(seen["peft"].__version__)
    return {
        "found": as_numbers(wrote) > as_numbers(installed),
        "wrote": wrote,
        "installed": installed,
    }


def as_numbers(release: str) -> list[int]:
    """Return the numbers of a release."""
    return [int(part) for part in release.split(".")]


def write_again() -> dict[str, Any]:
    """Hold the file of the steps against the one that this release writes."""
    save()
    get_peft_model(base(), snippet("from-pretrained")["config"]).save_pretrained("again")
    text = FILE.parent.with_name("again").joinpath(FILE.name).read_text("utf-8")
    written: dict[str, Any] = json.loads(text)
    written["target_modules"].sort()
    return {"found": written == NEWER, "keys": len(written)}
