"""verl: overrides of Hydra's settings on the commands of its PPO and SFT entry points."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool, words

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from fixbook.config.extract.classes import Shape
    from fixbook.config.tool import Keys

# The entry points of verl itself; other programs with one of these names add settings of their own.
ITSELF = re.compile(
    r"(?:^|/)verl[./]trainer[./](?:main_ppo|fsdp_sft_trainer|sft_trainer(?:_ray)?)(?:\.py)?$"
)
SFT, SFT_ENGINE = "fsdp_sft_trainer", "sft_trainer"
_SCHEMAS = {SFT: SFT, SFT_ENGINE: SFT_ENGINE, "sft_trainer_ray": SFT_ENGINE}
_FOLDER = "verl/trainer/config/"
_ONE = {"verl": "ppo_trainer", SFT: "sft_trainer", SFT_ENGINE: "sft_trainer_engine"}


def schema_name(program: str) -> str:
    """Return which key table is that of an entry point, as the command names it."""
    return _SCHEMAS.get(re.split(r"[./]", program.removesuffix(".py"))[-1], "verl")


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    import yaml

    from fixbook.config.extract.classes import Shape, within

    folder = {
        path.removeprefix(_FOLDER).removesuffix(".yaml"): yaml.safe_load(text)
        for path, text in within(files, _FOLDER).items()
        if path.endswith(".yaml")
    }
    whole = [name for name in folder if name.startswith("_generated_ppo")]
    plain = [name for name in ("ppo_trainer", "ppo_megatron_trainer") if name in folder]
    first = "_generated_ppo_trainer" if whole else "ppo_trainer"
    keys: Keys = dict(_tree(folder.get(first), ""))
    for name in whole or plain:
        keys = _of_another(_tree(folder[name], "")) | keys
    groups = [item for name in plain for item in folder[name].get("defaults", [])]
    for item in groups:  # `model_engine=megatron` chooses a file of settings
        if isinstance(item, dict):
            keys |= {key: Shape({"any"}) for key in item if not key.startswith("override ")}
    sft = {name: _composed(folder, _ONE[name]) for name in (SFT, SFT_ENGINE)}
    return {"verl": keys, **sft}


def _composed(folder: Mapping[str, Any], name: str) -> Keys:
    """Put a file together with the files that its defaults choose, and those they might choose."""
    from fixbook.config.extract.classes import Shape

    keys: Keys = {}
    for item in folder.get(name, {}).get("defaults", []):
        for group, chosen in item.items() if isinstance(item, dict) else ():
            below, _, package = group.partition("@")
            package = package or below
            others = [name for name in folder if name.startswith(f"{below}/")]
            for other in others:
                keys |= _of_another(_tree(folder[other], f"{package}."))
            keys |= dict(_tree(folder.get(f"{below}/{chosen}"), f"{package}."))
            keys[package] = Shape({"dict"})
    return keys | dict(_tree(folder.get(name), ""))


def _of_another(tree: Iterator[tuple[str, Shape]]) -> Keys:
    """Return the keys of a file that is not the one taken by default: its values may not be set."""
    from fixbook.config.extract.classes import Shape

    return {key: shape if shape.types == {"dict"} else Shape({"any"}) for key, shape in tree}


def _tree(node: Any, parent: str) -> Iterator[tuple[str, Shape]]:
    from fixbook.config.extract.classes import Shape

    for key, value in (node or {}).items():
        if key.startswith("_") or key in {"defaults", "hydra"}:
            continue
        if isinstance(value, dict) and value:
            yield parent + key, Shape({"dict"})
            yield from _tree(value, f"{parent}{key}.")
        elif value in ({}, None):
            yield parent + key, Shape({"dict", "any"})
        else:
            yield parent + key, Shape({"any" if _is_open(value) else "leaf"})


def _is_open(value: object) -> bool:
    """Tell whether nothing is known of what the value is in the end: it refers to another."""
    return isinstance(value, str) and ("${" in value or value == "???")


TOOL = Tool(
    "verl",
    "verl",
    marks=words("actor_rollout_ref critic reward_model algorithm trainer data"),
    needed=words("actor_rollout_ref"),
    shared=words("defaults hydra"),
    nested=True,
    takes_auto=True,
    command=re.compile(
        r"verl[./][\w./]*(?:main_ppo|fsdp_sft_trainer|(?<![a-z_])sft_trainer(?:_ray)?)(?:\.py)?$"
    ),
    extract=_extract,
)
# The same where a file of settings is read: Hydra takes any key of it, and most are looked up.
FILE_TOOL = replace(TOOL, drops="all", command=None)


def of_file(names: AbstractSet[str], keys: Container[str]) -> str:
    """Return which key table is that of a file of settings for SFT, by its keys; empty if none."""
    if not names >= {"data", "model", "trainer"}:
        return ""
    if "model.partial_pretrain" in keys:
        return SFT
    return SFT_ENGINE if "engine" in names and "model.path" in keys else ""
