"""verl: overrides of Hydra's settings on the command of its PPO entry point."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.extract.classes import Shape
    from fixbook.config.tool import Keys

# The entry point of verl itself; other programs with one of this name add settings of their own.
ITSELF = re.compile(r"verl[./]trainer[./]main_ppo(?:\.py)?$")
_PLAIN = re.compile(r"/ppo(_megatron)?_trainer\.yaml$")


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    import yaml

    from fixbook.config.extract.classes import Shape, within

    keys: Keys = {}
    folder = within(files, "verl/trainer/config/")
    whole = [path for path in folder if "_generated_ppo" in path]
    plain = [path for path in folder if _PLAIN.search(path)]
    for path in whole or plain:
        keys |= dict(_tree(yaml.safe_load(folder[path]), ""))
    groups = [item for path in plain for item in yaml.safe_load(folder[path]).get("defaults", [])]
    for item in groups:  # `model_engine=megatron` chooses a file of settings
        if isinstance(item, dict):
            keys |= {key: Shape({"any"}) for key in item if not key.startswith("override ")}
    return {"verl": keys}


def _tree(node: Any, parent: str) -> Iterator[tuple[str, Shape]]:
    from fixbook.config.extract.classes import Shape

    for key, value in (node or {}).items():
        if key.startswith("_") or key in {"defaults", "hydra"}:
            continue
        if isinstance(value, dict) and value:
            yield parent + key, Shape({"dict"})
            yield from _tree(value, f"{parent}{key}.")
        else:
            yield parent + key, Shape({"dict", "any"} if value in ({}, None) else {"any"})


TOOL = Tool(
    "verl",
    "verl",
    marks=words("actor_rollout_ref critic reward_model algorithm trainer data"),
    needed=words("actor_rollout_ref"),
    shared=words("defaults hydra"),
    nested=True,
    takes_auto=True,
    command=re.compile(r"verl[./][\w./]*main_ppo(?:\.py)?$"),
    extract=_extract,
)
