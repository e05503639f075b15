"""LLaMA-Factory: a YAML file or flags, on top of the Trainer's arguments."""

from __future__ import annotations

import re
from dataclasses import replace
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

# What its list of data sets, `dataset_info.json`, is read by.
DATA = "data"
DATA_FILE = "dataset_info.json"
DATA_MARKS = words("file_name hf_hub_url ms_hub_url om_hub_url script_url cloud_file_name")
_OF_ENTRY = re.compile(
    r"""set_attr\(["'](\w+)["'],|dataset_info\[name\]\[["'](\w+)["']\]"""
    r"""|["'](\w+)["'] in (?:attr|dataset_info\[name\])"""
)
_BELOW = {
    section: re.compile(rf"\b{names}\b(?: \+?= |\.extend\()[\[(]([^\])]*)")
    for section, names in (("columns", "column_names"), ("tags", "tag_names"))
}
_NAME = re.compile(r"""["'](\w+)["']""")
_TEMPLATE = re.compile(r"""register_template\(\s*name=["']([^"']+)["']""")


def is_of_data(schema: Schema, key: str) -> bool:
    """Tell whether a key that a configuration lacks is one of the list of data sets."""
    if schema.tool is not TOOL or "." in key:
        return False
    known = Schema(DATA_TOOL, DATA, schema.version).valid
    return any(f"*.{section}{key}" in known for section in ("", "columns.", "tags."))


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within

    classes = Classes(within(files, "llamafactory/hparams/"))
    keys: Keys = {"extends:transformers": Shape({"any"})}
    for name in _GROUPS:
        keys |= classes.keys(name)
    names = _TEMPLATE.findall(files.get("llamafactory/data/template.py", ""))
    templates = {"template": Shape({"literal"}, values=names)}
    return {"llamafactory": keys, "templates": templates, DATA: _of_data(files)}


def _of_data(files: Mapping[str, str]) -> Keys:
    """Keys of an entry of the list of data sets, below the name that somebody gave it."""
    from fixbook.config.extract.classes import Classes, Shape

    parser = files.get("llamafactory/data/parser.py", "")
    found = {next(filter(None, names)) for names in _OF_ENTRY.findall(parser)}
    if not found:
        return {}
    keys: Keys = {"*": Shape({"dict"})} | {f"*.{name}": Shape({"any"}) for name in sorted(found)}
    declared = Classes({"parser.py": parser}).keys("DatasetAttr")
    keys["*.formatting"] = declared["formatting"]
    for section, listed in _BELOW.items():
        names = [name for part in listed.findall(parser) for name in _NAME.findall(part)]
        keys[f"*.{section}"] = Shape({"dict"})
        keys |= {f"*.{section}.{name}": Shape({"any"}) for name in names}
    return keys


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
# The same package, where it reads the list of data sets: it looks up what it knows, and no more.
DATA_TOOL = replace(TOOL, drops="all", base=None, command=None, shared=frozenset())
