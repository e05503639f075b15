"""TRL: a configuration class for each trainer, on top of the Trainer's arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Schema, Tool, words
from fixbook.config.tools.transformers import TOOL as TRANSFORMERS
from fixbook.config.tools.transformers import TRAINER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.config.extract.classes import Classes
    from fixbook.config.tool import Keys

DEFAULT = "SFTConfig"
CONSTRUCTORS = ("SFTTrainer", "DPOTrainer", "RewardTrainer", "GRPOTrainer", "KTOTrainer")
# Keys that tell which class a file is for.
MARKS = {
    "GRPOConfig": words("num_generations max_completion_length use_vllm epsilon reward_weights"),
    "SFTConfig": words("packing max_length max_seq_length dataset_text_field completion_only_loss"),
    "DPOConfig": words("beta loss_type precompute_ref_log_probs max_prompt_length"),
}
# What its packages ask for, by their metadata.
_ASKED = (
    ("0.9.6", "4.31"),
    ("0.11.4", "4.40"),
    ("0.12.0", "4.46"),
    ("0.19.1", "4.51"),
    ("0.20.0", "4.53"),
    ("0.24.0", "4.56"),
)
# The scripts that TRL itself starts, as `trl sft` or `python -m trl.scripts.sft`.
_COMMAND = re.compile(r"^trl (sft|dpo|grpo|kto|reward)$|^trl\.scripts\.(sft|dpo|grpo|kto|reward)$")
_NAMES = {"sft": "SFTConfig", "dpo": "DPOConfig", "grpo": "GRPOConfig", "kto": "KTOConfig"}


def of_command(text: str) -> str:
    """Return the class whose arguments a script of TRL takes; empty if it is none."""
    found = _COMMAND.match(text)
    return _NAMES.get(found[1] or found[2], "RewardConfig") if found else ""


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within

    classes = Classes(within(files, "trl/trainer/", "trl/experimental/"))
    found: dict[str, Keys] = {}
    for name in classes.nodes:
        if name.endswith("Config") and "Mixin" not in name and _trains(classes, name):
            found[name] = {**classes.keys(name), "extends:transformers": Shape({"any"})}
    return found | {name: keys for name in CONSTRUCTORS if (keys := classes.arguments(name))}


def _trains(classes: Classes, name: str) -> bool:
    bases = classes.bases(name)
    return TRAINER in bases or any(_trains(classes, base) for base in bases if base != name)


TOOL = Tool(
    "trl",
    "TRL",
    classes=True,
    base=Schema(TRANSFORMERS, TRAINER),
    base_from=_ASKED,
    extract=_extract,
    check="TrlParser",
    stack=("trl==1.16.0",),
)
