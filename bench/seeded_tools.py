"""What the real tools say of configurations with a mistake; each is asked as it starts a run.

The releases are those that the environment has, and those that `fixbook.gates.tool_checks` pins
beside it for the others.
"""

from __future__ import annotations

import contextlib
import io
import json
from typing import TYPE_CHECKING, Any

import yaml

from bench.seeded_flags import launch_flags, trainer_flags
from bench.seeded_llama import ask_llama
from bench.seeded_overlays import beside, list_of_data, verl
from bench.seeded_sglang import ask_sglang
from bench.seeded_vllm import ask_vllm
from fixbook.config.read import parse
from fixbook.config.setting import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.seeded import Base, Mistake

_LONGEST = 200
_AT = "mistakes:\n"


def ask(path: Path, bases: dict[str, Base], mistakes: list[Mistake], wanted: str = "") -> None:
    """Ask each tool about its configurations, and write what it says beside the mistakes.

    Args:
        path: Where they are written.
        bases: The configurations.
        mistakes: What is put into them.
        wanted: Who alone is asked; by default everyone is.
    """
    said: dict[str, str] = {}
    for name, base in bases.items():
        if base.ask not in _ASK or wanted not in {"", base.ask}:
            continue  # nobody can be asked here
        mine = [mistake for mistake in mistakes if mistake.base == name]
        texts = {"": base.text} | {mistake.id: mistake.text(base) for mistake in mine}
        answers = _ASK[base.ask](texts)
        if answers[""]:
            print(f"{name} itself: {answers['']}")
        for mistake in mine:
            new = [line for line in answers[mistake.id] if line not in answers[""]]
            said[mistake.id] = " ".join(" ".join(new).split())[:_LONGEST]
    head, _, rest = path.read_text("utf-8").partition(f"\n{_AT}")
    rows = yaml.safe_load(_AT + rest)["mistakes"]
    written = [
        yaml.dump(row | ({"says": said[row["id"]]} if row["id"] in said else {}), **_STYLE).strip()
        for row in rows
    ]
    body = "".join(f"- {row}\n" for row in written)
    path.write_text(f"{head}\n{_AT}{body}", "utf-8")


_STYLE: Any = {
    "default_flow_style": True,
    "allow_unicode": True,
    "width": 10_000,
    "sort_keys": False,
}


def _values(text: str) -> dict[str, Any]:
    """The mapping that a file says, or raise what its reader raises."""
    data: Any = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    if not isinstance(data, dict):
        raise TypeError("is not a mapping")
    return data


def _each(one: Callable[[str], list[str]]) -> Callable[[dict[str, str]], dict[str, list[str]]]:
    """Ask about one file after another; whatever is raised is what the tool says."""

    def all_of(texts: dict[str, str]) -> dict[str, list[str]]:
        answers: dict[str, list[str]] = {}
        for name, text in texts.items():
            err = io.StringIO()
            try:
                with contextlib.redirect_stderr(err):
                    answers[name] = one(text)
            except SystemExit:  # how argparse refuses
                answers[name] = err.getvalue().strip().splitlines()[-1:]
            except Exception as error:  # noqa: BLE001  (the answer, whatever it is)
                answers[name] = _lines(error)
        return answers

    return all_of


def _lines(error: Exception) -> list[str]:
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    return [f"{type(error).__name__}:", *said] if said else [repr(error)]


def _axolotl(text: str) -> list[str]:
    from transformers import TrainingArguments  # noqa: PLC0415

    from fixbook.config.tools import objections  # noqa: PLC0415

    values = _values(text)
    found = objections("axolotl", values)
    # Both names go to transformers as they are; axolotl has optimizers of its own besides.
    names = {"optim": values.get("optimizer"), "lr_scheduler_type": values.get("lr_scheduler")}
    with contextlib.suppress(KeyError):
        TrainingArguments(output_dir="out", use_cpu=True, **{k: v for k, v in names.items() if v})
    return found


def _deepspeed(text: str) -> list[str]:
    """Read the file, then build optimizer and scheduler by name, as the engine does."""
    import torch  # noqa: PLC0415
    from deepspeed.runtime import lr_schedules  # noqa: PLC0415

    from fixbook.config.tools import objections  # noqa: PLC0415

    values = _values(text)
    found = objections("deepspeed", values)
    parameter = torch.nn.Parameter(torch.zeros(2))
    settings = dict(values.get("optimizer", {"params": {}})["params"])
    name = values.get("optimizer", {}).get("type", "AdamW")
    kind = {"adam": "Adam", "adamw": "AdamW"}.get(name.lower(), name)
    optimizer = getattr(torch.optim, kind)([parameter], **settings)
    optimizer.step()
    if "scheduler" in values:
        scheduler = values["scheduler"]["type"]
        made = getattr(lr_schedules, scheduler, None) or getattr(
            torch.optim.lr_scheduler, scheduler
        )
        made(optimizer, **values["scheduler"]["params"])
    parameter.grad = torch.ones(2)
    torch.nn.utils.clip_grad_norm_([parameter], values.get("gradient_clipping", 1.0))
    return found


def _accelerate(text: str) -> list[str]:
    """Do what ``accelerate launch`` and the process that it starts do with the file."""
    import os  # noqa: PLC0415
    import tempfile  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from accelerate.commands import launch  # noqa: PLC0415
    from accelerate.utils import (  # noqa: PLC0415
        DeepSpeedPlugin,
        FullyShardedDataParallelPlugin,
        TorchDynamoPlugin,
    )
    from accelerate.utils.launch import (  # noqa: PLC0415
        prepare_deepspeed_cmd_env,
        prepare_multi_gpu_env,
    )

    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.yaml")
        path.write_text(text, "utf-8")
        parser = launch.launch_command_parser()
        parsed = parser.parse_args(["--config_file", str(path), "train.py"])
        parsed, defaults, _ = launch._validate_launch_command(parsed)  # noqa: SLF001
        parsed.deepspeed_fields_from_accelerate_config = ",".join(defaults.deepspeed_config or [])
        made = (
            prepare_deepspeed_cmd_env(parsed)[1]
            if parsed.use_deepspeed
            else prepare_multi_gpu_env(parsed)
        )
    try:
        os.environ.update({key: str(value) for key, value in made.items()})
        if parsed.use_deepspeed:
            DeepSpeedPlugin()
        if os.environ.get("ACCELERATE_USE_FSDP") == "true":
            FullyShardedDataParallelPlugin()
        TorchDynamoPlugin()
        from accelerate.utils import PrecisionType  # noqa: PLC0415

        PrecisionType(os.environ.get("ACCELERATE_MIXED_PRECISION", "no"))
    finally:
        os.environ.clear()
        os.environ.update(before)
    unused = {"fsdp_config", "deepspeed_config"} & set(_values(text))
    used = {"fsdp_config"} if made.get("ACCELERATE_USE_FSDP") == "true" else set()
    used |= {"deepspeed_config"} if parsed.use_deepspeed else set()
    nested = {
        f"{section} has {key!r}, which launch has no option for"
        for section in used & unused
        for key in _values(text)[section]
        if not hasattr(parsed, key) and key != "deepspeed_multinode_launcher"
    }
    return sorted([f"{name} is not used" for name in unused - used]) + sorted(nested)


def _arguments(text: str, file: str) -> tuple[str, dict[str, Any]]:
    from pathlib import Path  # noqa: PLC0415

    sections = parse(text, Path(file)).sections
    section = next(item for item in sections if not item.schema.stands_alone)
    items = section.settings.items()
    return section.schema.name, {
        key: item.value for key, item in items if "." not in key and item.value is not UNKNOWN
    }


def _trainer(text: str) -> list[str]:
    from transformers import TrainingArguments  # noqa: PLC0415
    from transformers.integrations import integration_utils  # noqa: PLC0415

    made = TrainingArguments(**{**_arguments(text, "train.py")[1], "use_cpu": True})
    trackers: Any = integration_utils
    trackers.get_reporting_integration_callbacks(made.report_to)
    if not isinstance(made.learning_rate, float):
        return ["learning_rate is text"]
    if made.torch_compile:
        import torch  # noqa: PLC0415

        torch.compile(torch.nn.Linear(1, 1), mode=made.torch_compile_mode)(torch.zeros(1, 1))
    return []


def _trl_class(texts: dict[str, str]) -> dict[str, list[str]]:
    from tests.config.proofs_in_overlays import answers  # noqa: PLC0415

    given = {}
    for name, text in texts.items():
        schema, values = _arguments(text, "train.py")
        given[name] = [schema, {**values, "use_cpu": True, "bf16": False}]
    found = answers("trl", "arguments", given)
    return {name: [said] if said else [] for name, said in found.items()}


_ASK: dict[str, Callable[[dict[str, str]], dict[str, list[str]]]] = {
    "axolotl": _each(_axolotl),
    "deepspeed": _each(_deepspeed),
    "accelerate": _each(_accelerate),
    "transformers": _each(_trainer),
    "trl-class": _trl_class,
    "trl": beside("trl"),
    "llamafactory": beside("llamafactory"),
    "openrlhf": beside("openrlhf"),
    "verl": verl("verl.trainer.main_ppo", "settings"),
    "verl-sft": verl("verl.trainer.sft_trainer", "sft"),
    "llamafactory-data": list_of_data,
    "llama-server": ask_llama,
    "vllm": ask_vllm,
    "sglang": ask_sglang,
    "trainer-flags": _each(trainer_flags),
    "launch-flags": _each(launch_flags),
}
