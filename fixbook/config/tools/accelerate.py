"""accelerate: the file that ``accelerate config`` writes, and what code gives ``Accelerator``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import LAUNCH, Tool, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.tool import Keys

CONSTRUCTOR = "Accelerator"
_DEEPSPEED = re.compile(r"deepspeed_|zero|offload_|gradient_")
_SECTIONS = {"fsdp_config": "fsdp_", "megatron_lm_config": "megatron_lm_"}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within
    from fixbook.config.extract.options import options

    classes = Classes(within(files, "accelerate/commands/config/", "accelerate/utils/dataclasses"))
    flags = dict(options(ast.parse(files.get("accelerate/commands/launch.py", ""))))
    keys = classes.keys("ClusterConfig")
    keys |= {"fp16": Shape({"bool"}), "dynamo_backend": Shape({"str"})}
    keys["mixed_precision"] = flags.get("mixed_precision", keys["mixed_precision"])
    for section, prefix in _SECTIONS.items():
        nested = {key: shape for key, shape in flags.items() if key.startswith(prefix)}
        keys |= {f"{section}.{key}": shape for key, shape in nested.items()}
    deepspeed = [key for key in flags if _DEEPSPEED.match(key)]
    keys |= {f"deepspeed_config.{key}": flags[key] for key in deepspeed}
    made = Classes(within(files, "accelerate/accelerator")).arguments(CONSTRUCTOR)
    return {"accelerate": keys, CONSTRUCTOR: made, LAUNCH: flags}


def _validate(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: ARG001, FBT001
    from accelerate.commands.config.config_args import ClusterConfig

    from fixbook.config.refusals import first_line

    base = {"compute_environment": "LOCAL_MACHINE", "distributed_type": "NO"}
    try:
        ClusterConfig(**{**base, **config})
    except (ValueError, TypeError) as error:
        yield first_line(error)


TOOL = Tool(
    "accelerate",
    "Accelerate",
    marks=words(
        "compute_environment distributed_type main_training_function machine_rank num_machines"
        " rdzv_backend same_network downcast_bf16 num_processes main_process_port tpu_env"
        " dynamo_config deepspeed_config"
    ),
    drops="nested",
    takes_auto="deepspeed_config",
    prefixes=tuple(_SECTIONS.items())[:1],  # launch puts it before those of FSDP alone
    classes=True,
    extract=_extract,
    validate=_validate,
    check="ClusterConfig",
)
