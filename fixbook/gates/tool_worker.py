"""Ask one tool, beside the releases it was made for, whether it accepts configurations.

Usage: ``python tool_worker.py TOOL`` with ``{"configs": [...], "fragment": false}`` on standard
input; prints one list of objections per configuration. Imports nothing of Fixbook, because it runs
where other releases of the libraries are installed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import datetime as dt
import importlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What a fragment is completed with, so that only what it says itself can be wrong.
_BASE: dict[str, dict[str, Any]] = {
    "trl": {"model_name_or_path": "any/model", "dataset_name": "any/data", "output_dir": "out"},
    "llamafactory": {
        "model_name_or_path": "any/model",
        "stage": "sft",
        "do_train": True,
        "dataset": "any",
        "template": "llama3",
        "output_dir": "out",
    },
}


def _trl(config: dict[str, Any]) -> None:
    """Read the file as ``trl sft --config`` does, but refuse what it would not use."""
    parser = importlib.import_module("trl.scripts.sft").make_parser()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sft.yaml")
        path.write_text(json.dumps(config), "utf-8")
        words = ["--config", str(path), "--use_cpu"]
        parser.parse_args_and_config(args=words, fail_with_unknown_args=True)


def _llamafactory(config: dict[str, Any]) -> None:
    importlib.import_module("llamafactory.hparams").get_train_args({**config, "use_cpu": True})


def _openrlhf(words: list[str]) -> None:
    """Parse and check a command as its script does; stop where training would begin.

    The parser stands under ``if __name__ == "__main__"`` of a module that imports Ray and vLLM, so
    that body is taken out of the file and run by itself.
    """
    spec = importlib.util.find_spec("openrlhf")
    root = Path(str(spec.origin)).parent if spec else Path()
    utils = types.ModuleType("openrlhf.utils")
    utils.__path__ = [str(root / "utils")]  # its own __init__ imports more than is installed
    sys.modules["openrlhf.utils"] = utils
    module = ast.parse((root / "cli" / f"{words[0]}.py").read_text("utf-8"))
    guard = next(node for node in module.body if isinstance(node, ast.If))
    body = [node for node in guard.body if ast.unparse(node) != "train(args)"]
    names = {"argparse": argparse, "os": os, "datetime": dt.datetime}
    sys.argv = words
    exec(compile(ast.Module(body=body, type_ignores=[]), words[0], "exec"), names)  # noqa: S102


_ASK: dict[str, Callable[[Any], None]] = {
    "trl": _trl,
    "llamafactory": _llamafactory,
    "openrlhf": _openrlhf,
}


def _objections(tool: str, config: Any) -> list[str]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            _ASK[tool](config)
    except (ValueError, TypeError, AssertionError) as error:
        return [str(error).strip().split("\n")[0] or repr(error)]
    except SystemExit:  # how argparse refuses
        return [said.getvalue().strip().split("\n")[-1]]
    return []


def main() -> None:
    """Answer one request."""
    tool, request = sys.argv[1], json.load(sys.stdin)
    base = _BASE.get(tool, {}) if request["fragment"] else {}
    configs = [{**base, **config} if base else config for config in request["configs"]]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print to standard output while they are imported
    json.dump([_objections(tool, config) for config in configs], answers)
    answers.close()


if __name__ == "__main__":
    main()
