"""What axolotl does with a setting once its configuration is accepted."""

from __future__ import annotations

import copy
import importlib
import sys
from typing import TYPE_CHECKING, Any
from unittest import mock

import yaml

if TYPE_CHECKING:
    from pathlib import Path

    from tests.config.fixtures import Fixture

_ROWS = 20
# Imported on the way, unused.
_ABSENT = ("posthog", "fastcore", "fastcore.parallel", "numba", "axolotl.utils.data.streaming")


def split(_: Fixture, path: Path) -> str:
    """Set data aside for validation, out of twenty rows."""
    absent = [name for name in _ABSENT if name not in sys.modules]
    sys.modules.update({name: mock.MagicMock() for name in absent})
    try:
        from axolotl.utils.data.sft import _handle_train_dataset_split
    finally:
        for name in absent:
            del sys.modules[name]
    from axolotl.utils.dict import DictDefault

    config = DictDefault(yaml.safe_load(path.read_text("utf-8")))
    datasets: Any = importlib.import_module("datasets")
    rows = datasets.Dataset.from_dict({"text": [str(number) for number in range(_ROWS)]})
    try:
        kept, aside = _handle_train_dataset_split(rows, config)
    except ValueError as error:
        return str(error)
    return f"{len(kept)} rows to train on, {len(aside or ())} set aside"


def precision(_: Fixture, path: Path) -> str:
    """Tell which of the precisions that are asked for axolotl switches off."""
    from axolotl.utils.config import resolve_dtype
    from axolotl.utils.dict import DictDefault

    config = DictDefault(yaml.safe_load(path.read_text("utf-8")))
    asked = copy.deepcopy(config)
    resolve_dtype(config)
    lost = [name for name in ("bf16", "fp16") if asked[name] is True and not config[name]]
    return f"switched off: {', '.join(lost)}" if lost else "both as written"
