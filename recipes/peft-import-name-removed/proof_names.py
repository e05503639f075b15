"""Which names the installed PEFT has, asked by importing them; and what comes of a change."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import transformers
from failure import adapted, imported, load, train

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama

# Old names first, then the new ones; one without a module is of peft itself.
NAMES = (
    "prepare_model_for_training",
    "prepare_model_for_int8_training",
    "peft.tuners.lora.QuantLinear",
    "peft.tuners.tuners_utils.ModulesToSaveWrapper",
    "peft.tuners.lora.layer.DoraLinearLayer",
    "BoneConfig",
    "peft.peft_model.PEFT_TYPE_TO_MODEL_MAPPING",
    "peft.import_utils.is_auto_gptq_available",
    "peft.import_utils.is_auto_awq_available",
    "peft.utils.get_auto_gptq_quant_linear",
    "prepare_model_for_kbit_training",
    "peft.tuners.lora.GPTQLoraLinear",
    "peft.utils.other.ModulesToSaveWrapper",
    "peft.tuners.lora.dora.DoraLinearLayer",
    "MissConfig",
    "PEFT_TYPE_TO_TUNER_MAPPING",
    "peft.import_utils.is_gptqmodel_available",
)
OLD = "from peft import LoraConfig, prepare_model_for_int8_training\n"
NEW = "from peft import LoraConfig, prepare_model_for_kbit_training\n"
# A language model that bitsandbytes quantises has layers of at least 64.
WIDE = {"hidden_size": 64, "intermediate_size": 64}


def does(name: str) -> str:
    """Tell whether the installed release has a name there."""
    source, _, bare = name.rpartition(".")
    try:
        imported(bare, source or "peft")
    except ImportError as error:
        if not str(error).startswith(("cannot import name", f"No module named '{source}'")):
            raise
        return "refuses"
    return "takes"


def ask() -> dict[str, Any]:
    """Ask the installed release for every name, and the page's check about a script."""
    rows = [{"name": name, "does": does(name)} for name in NAMES]
    return {"names": rows, **checked(OLD)}


def checked(script: str) -> dict[str, Any]:
    """Ask the page's check about a script."""
    Path("train.py").write_text(script)
    missing = snippet("missing")["missing"]("train.py")
    said = next(iter(missing.values()), "")
    return {"found": bool(missing), "missing": ", ".join(missing), "said": said.partition(" (")[0]}


def run(name: str, *, eight_bits: bool = True) -> dict[str, Any]:
    """Prepare the base, train a LoRA on it, and look at what was trained.

    Args:
        name: The function that prepares it; ``as-printed`` for the page's lines, or ``nothing``.
        eight_bits: Load the base in 8 bits.
    """
    measure(peft=version("peft"), transformers=transformers.__version__)
    model = load(tiny_llama(**WIDE), eight_bits=eight_bits)
    if name == "as-printed":
        model = snippet("kbit", model=model)["model"]
    elif name != "nothing":
        model = imported(name)(model)
    lora = adapted(model)
    base = [p for n, p in lora.named_parameters() if "lora_" not in n]
    before = [p.detach().clone() for p in base]
    kept = train(lora)
    frozen = all(p.equal(old) for p, old in zip(base, before, strict=True))
    moved = [p for n, p in lora.named_parameters() if "lora_B" in n]
    return {"trained": all(bool(p.any()) for p in moved), "frozen": frozen, "kept": kept} | half(
        lora
    )


def half(model: Any) -> dict[str, Any]:
    """Ask the page's check whether the base was prepared."""
    try:
        snippet("prepared", model=model)
    except AssertionError as error:
        return {"found": True, "message": str(error), "half": int(str(error).split()[0])}
    return {"found": False, "half": 0}
