"""The shape of a model: its ``config.json``, from a folder or from the cache of the Hub."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.errors import ConfigError
from fixbook.config.read import bounded_text
from fixbook.fit.reading import CannotTellError
from fixbook.hub_cache import cached_model, main_snapshot
from fixbook.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG = "config.json"
MOST_LAYERS = 512
_MOST = 2**26  # of anything that is counted: more is a slip
_LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
# Where a layer may differ from the one before it.
_UNEVEN = (
    "first_k_dense_replace",
    "mlp_only_layers",
    "moe_layer_freq",
    "attn_layer_period",
    "full_attention_interval",
    "global_attn_every_n_layers",
    "no_rope_layers",
)


def architecture(name: str, beside: Path) -> dict[str, Any]:
    """Return what a model's configuration says; nothing is downloaded, and no code of it is run.

    Args:
        name: A folder, a ``config.json``, or a name on the Hub.
        beside: The file that names it.

    Raises:
        CannotTellError: It is not here, or its memory cannot be predicted.
        ConfigError: It cannot be read.
    """
    if not name:
        raise CannotTellError(
            say("it does not say which model is trained, or only when it is run"),
            say("name the model with --model"),
        )
    found = next((path for path in _places(name, beside) if path.is_file()), None)
    if found is None:
        raise CannotTellError(
            say("{file} of the model {name} is not on this machine", file=CONFIG, name=name),
            say(
                "download it (hf download {name} {file}), or name it with --model",
                file=CONFIG,
                name=name,
            ),
        )
    text = bounded_text(found)
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError(str(found), "bad-json", reason="config.json", zh="config.json") from None
    if not isinstance(said, dict) or not isinstance(said.get("model_type"), str):
        raise CannotTellError(say("{file} names no model_type", file=str(found)))
    _usual(said)
    return said


def alike(said: dict[str, Any]) -> bool:
    """Tell whether all layers of a model are the same."""
    kinds = said.get("layer_types")
    if isinstance(kinds, list) and len(set(map(str, kinds))) > 1:
        return False
    return not any(said.get(key) for key in _UNEVEN) and said.get("decoder_sparse_step", 1) == 1


def layer_count(said: dict[str, Any]) -> int:
    """Return how many layers a model has; 0 where its configuration leaves that to a default."""
    return next((said[key] for key in _LAYERS if isinstance(said.get(key), int)), 0)


def _places(name: str, beside: Path) -> Iterator[Path]:
    if not name or "\0" in name or len(name) > os.pathconf("/", "PC_NAME_MAX") * 4:
        return
    for folder in (Path(), beside.parent):
        path = folder / Path(name).expanduser()
        yield path if path.suffix == ".json" else path / CONFIG
    cached = cached_model(name)
    if snapshot := main_snapshot(cached):
        yield snapshot / CONFIG
    yield from sorted(cached.glob(f"snapshots/*/{CONFIG}"))


def _usual(said: dict[str, Any]) -> None:
    """Refuse what is not predicted, and numbers that no model has.

    Raises:
        CannotTellError: There is something of the kind.
    """
    if said.get("auto_map"):
        raise CannotTellError(
            say("the model brings code of its own (auto_map), and nothing unknown is run here")
        )
    if any(key in said for key in ("vision_config", "audio_config")):
        raise CannotTellError(say("the model reads images or sound; only text is predicted so far"))
    method = said.get("quantization_config")
    if method:
        raise CannotTellError(
            say("the weights are stored quantized (quantization_config)"),
            say("name the model that they were made from, and how it is quantized"),
        )
    for key, value in said.items():
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _MOST:
            raise CannotTellError(
                say("{key} is {value}: no model is so large", key=key[:60], value=str(value)[:40])
            )
    layers = layer_count(said)
    if layers < 0 or layers > MOST_LAYERS:
        raise CannotTellError(
            say("{key} is {value}: no model is so large", key="num_hidden_layers", value=layers)
        )
