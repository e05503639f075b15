"""LLaMA-Factory: a YAML file or flags, on top of the Trainer's arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Schema, Tool, words
from fixbook.config.tools.transformers import SEQ2SEQ, TRAINER
from fixbook.config.tools.transformers import TOOL as TRANSFORMERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.config.tool import Keys

_GROUPS = (
    "ModelArguments",
    "DataArguments",
    "EvaluationArguments",
    "FinetuningArguments",
    "GeneratingArguments",
    TRAINER,
    "RayArguments",
)

_TEMPLATE = re.compile(r"""register_template\(\s*name=["']([^"']+)["']""")


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within

    classes = Classes(within(files, "llamafactory/hparams/"))
    keys: Keys = {"extends:transformers": Shape({"any"})}
    for name in _GROUPS:
        keys |= classes.keys(name)
    names = _TEMPLATE.findall(files.get("llamafactory/data/template.py", ""))
    return {"llamafactory": keys, "templates": {"template": Shape({"literal"}, values=names)}}


TOOL = Tool(
    "llamafactory",
    "LLaMA-Factory",
    marks=words(
        "stage finetuning_type template cutoff_len dataset_dir model_name_or_path lora_target"
        " preprocessing_num_workers adapter_name_or_path export_dir infer_backend do_train"
        " plot_loss overwrite_cache quantization_bit lora_rank"
    ),
    needed=words("stage finetuning_type template cutoff_len dataset_dir"),
    shared=words("tensor_model_parallel_size pipeline_model_parallel_size export_hf_on_finish"),
    base=Schema(TRANSFORMERS, SEQ2SEQ),
    base_from=(("0.8.3", "4.41.2"), ("0.9.3", "4.45"), ("0.9.5", "4.55")),
    command=re.compile(
        r"llamafactory-cli$|llamafactory[/.](?:train|launcher|cli)(?:\.py)?$"
        r"|src/train\.py$|(?:^|/)train_bash\.py$"
    ),
    extract=_extract,
    check="get_train_args",
    # It compares these with the releases it supports, so nothing newer will do.
    stack=(
        "llamafactory==0.9.5",
        "transformers==5.6.0",
        "tokenizers==0.22.2",
        "huggingface_hub==1.17.0",
        "httpx==0.28.1",
        "httpcore==1.0.9",
        "datasets==4.0.0",
        "peft==0.20.0",
        "trl==0.24.0",
        "omegaconf==2.3.0",
        "antlr4-python3-runtime==4.9.3",
    ),
)
