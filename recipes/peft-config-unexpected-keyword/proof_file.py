"""What a release makes of the file: read off the layers, and off the file itself."""

from __future__ import annotations

import json
from typing import Any

from failure import FILE, NEWER, base, configure, load, save
from peft import PeftConfig, get_peft_model

from fixbook.recipe import detect, measure, snippet

STACK = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "an older PEFT beside the main one, imported anew"
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
        snippet("trim")["trim"]("adapter")
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
    config = configure(by_peft=by_peft)
    return {"rank": config.r, "alpha": config.lora_alpha}


def needs_more(*, rslora: bool) -> dict[str, Any]:
    """Ask the page's check whether the file can be trimmed for this release."""
    save(use_rslora=rslora)
    try:
        snippet("trim")["trim"]("adapter")
    except ValueError as error:
        return {"found": True, "message": str(error)}
    return {"found": False, "keys": len(read())}


def update(*, rslora: bool) -> dict[str, Any]:
    """Load as it is, and see whether the layers do what the file says."""
    save(use_rslora=rslora)
    found = scaling(load())
    return found | {"found": found["scaling"] != 64 / 16**0.5}


def by_the_base_class() -> dict[str, Any]:
    """Read the file by the class above LoraConfig."""
    save()
    config: Any = PeftConfig.from_pretrained("adapter")
    return {
        "found": config.r != NEWER["r"],
        "rank": config.r,
        "targets": str(config.target_modules),
    }


@detect(found=True, versions=["peft==0.6.2", *STACK], record_once=ONCE)
def rslora_needs_a_newer_release() -> dict[str, Any]:
    """One of the unknown keys is on."""
    return needs_more(rslora=True)


@detect(
    found=False,
    control="rslora-needs-a-newer-release",
    versions=["peft==0.6.2", *STACK],
    record_once=ONCE,
)
def plain_can_be_trimmed() -> dict[str, Any]:
    """None is."""
    return needs_more(rslora=False)


@detect(found=True, versions=["peft==0.5.0", *STACK], record_once=ONCE)
def dropped_by_0_5() -> dict[str, Any]:
    """A release that drops unknown keys in silence."""
    return update(rslora=True)


@detect(found=False, control="dropped-by-0-5")
def kept_today() -> dict[str, Any]:
    """The release that wrote the file."""
    return update(rslora=True)


@detect(found=True, versions=["peft==0.14.0", *STACK], record_once=ONCE)
def base_class_on_0_14() -> dict[str, Any]:
    """It holds the keys of LoRA for unknown ones."""
    return by_the_base_class()


@detect(
    found=False, control="base-class-on-0-14", versions=["peft==0.15.2", *STACK], record_once=ONCE
)
def base_class_on_0_15() -> dict[str, Any]:
    """It asks the class that the file names."""
    return by_the_base_class()


@detect(found=True)
def file_of_today() -> dict[str, Any]:
    """What the steps load is what PEFT 0.21.2 writes."""
    save()
    get_peft_model(base(), configure(by_peft=True)).save_pretrained("again")
    text = FILE.parent.with_name("again").joinpath(FILE.name).read_text("utf-8")
    written: dict[str, Any] = json.loads(text)
    written["target_modules"].sort()
    return {"found": written == NEWER, "keys": len(written)}
