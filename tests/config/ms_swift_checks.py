"""Parse options of ms-swift by its own parser, and print what it says of each command.

Usage: python ms_swift_checks.py flags|data|keys|values|derived WORDS-AS-JSON, the words from
``sft`` on.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import io
import json
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


# It speaks to servers with this; nobody is spoken to here.
_HTTP = types.ModuleType("aiohttp")
_HTTP.__spec__ = importlib.machinery.ModuleSpec("aiohttp", None)


def _parser(command: str) -> Any:
    utils = importlib.import_module("swift.utils.utils")
    arguments = importlib.import_module("swift.arguments")
    kind = arguments.RLHFArguments if command == "rlhf" else arguments.SftArguments
    with utils._patch_get_type_hints():
        return importlib.import_module("transformers").HfArgumentParser([kind])


def flags(words: list[str]) -> str:
    """Do what ``swift sft`` does first; what is left over is refused, as its pipeline does."""
    parsed, left = _parser(words[0]).parse_known_args(words[1:])
    if left and not parsed.ignore_args_error:
        raise ValueError(f"remaining_argv: {left}")
    return "accepted"


def data(words: list[str]) -> str:
    """Read names of data sets; say which hub, parts and number of samples each has."""
    syntax = importlib.import_module("swift.dataset.dataset_syntax").DatasetSyntax
    found = [syntax.parse(name) for name in words]
    return " ".join(f"{one.use_hf}|{one.dataset}|{one.subsets}" for one in found)


def keys(words: list[str]) -> list[str]:
    """Return the name of every option."""
    return sorted(action.dest for action in _parser(words[0])._actions)


def values(words: list[str]) -> dict[str, Any]:
    """Return what ``swift sft FILE`` comes to, or ``swift sft`` with options: defaults included."""
    given = words[1:]
    importlib.import_module("swift.cli.main").parse_yaml_args(given)
    parsed, left = _parser(words[0]).parse_known_args(given)
    found = {key: value for key, value in vars(parsed).items() if not callable(value)}
    plain: dict[str, Any] = json.loads(json.dumps({**found, "left": left}, default=str))
    return plain


def derived(words: list[str]) -> dict[str, Any]:
    """Return what it makes of a number of weights' bits, and of a batch size, later on."""
    torch = importlib.import_module("torch")
    arguments = importlib.import_module("swift.arguments")
    asked = arguments.SftArguments.__new__(arguments.SftArguments)
    asked.torch_dtype, asked.fp16, asked.bf16 = getattr(torch, words[0]), None, None
    asked._init_mixed_precision()
    trainer = importlib.import_module("swift.trainers").TrainingArguments
    made = trainer(output_dir="out", per_device_train_batch_size=int(words[1]), use_cpu=True)
    return {
        "fp16": asked.fp16,
        "bf16": asked.bf16,
        "gradient_accumulation_steps": made.gradient_accumulation_steps,
    }


_PARTS: dict[str, Callable[[list[str]], Any]] = {
    "flags": flags,
    "data": data,
    "keys": keys,
    "values": values,
    "derived": derived,
}


def said(part: str, words: list[str]) -> Any:
    err = io.StringIO()
    try:
        with contextlib.redirect_stderr(err):
            return _PARTS[part](words)
    except SystemExit:  # how argparse refuses
        return err.getvalue().strip().splitlines()[-1]
    except Exception as error:  # noqa: BLE001  (whatever it is, it is what the tool says)
        return f"{type(error).__name__}: {error}"


def warm() -> None:
    """Import what the parts need."""
    sys.modules["aiohttp"] = _HTTP
    for name in ("swift.arguments", "swift.trainers", "swift.dataset.dataset_syntax"):
        importlib.import_module(name)


def main() -> None:
    sys.modules["aiohttp"] = _HTTP
    part, given = sys.argv[1], json.loads(sys.argv[2])
    answers = {name: said(part, words) for name, words in given.items()}
    sys.stdout.write("\n" + json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
