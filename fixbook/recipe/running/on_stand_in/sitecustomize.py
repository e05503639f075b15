"""Gives every process of a step GPUs that stand in, as soon as it imports torch.

The folder of this file stands first on the path of every process of a rehearsal, and Python imports
the file when it starts. Nothing else may import it. It uses the standard library only.
"""

from __future__ import annotations

import importlib.machinery
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_GROUPS = "torch.distributed.distributed_c10d"


def _note(name: str) -> None:
    """Record that an operator's values are missing."""
    record = {"rank": int(os.environ.get("RANK", "0")), "missing": name}
    with Path(os.environ["FIXBOOK_MEASURES"]).open("a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


def _before_torch() -> None:
    from fixbook.recipe.helpers.gpu import load  # noqa: PLC0415  (most processes need none)

    load(Path(os.environ["FIXBOOK_GPU_LIBRARIES"]))


def _after(module: ModuleType) -> None:
    if module.__name__ == _GROUPS:
        from fixbook.recipe.helpers.gpu.groups import talk_by_gloo  # noqa: PLC0415

        talk_by_gloo(module)
        return
    from fixbook.recipe.helpers.gpu.values import compute  # noqa: PLC0415

    compute(_note)
    worker = sys.modules.get("fixbook.recipe.process.worker")
    if worker:  # in a process that steps are forked from; it is __main__ in a cold one
        from fixbook.recipe.helpers.gpu.forks import bear_forks  # noqa: PLC0415

        bear_forks(module, worker)


class _Finder:
    """Comes before and after the import of torch."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in {"torch", _GROUPS}:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                if name == "torch":
                    sys.modules.pop(name)  # it is there before it has been executed
                    _before_torch()
                    sys.modules[name] = module
                execute(module)
                _after(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if "FIXBOOK_GPU_LIBRARIES" in os.environ:
    sys.meta_path.insert(0, _Finder())
