"""The key tables are what the installed tools really have, so they cannot drift."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.checking_page import tools_table
from fixbook.config.extract.archives import read_installed
from fixbook.config.extract.tables import keys_of
from fixbook.config.rules import rules
from fixbook.config.tools import TOOLS, schema_of
from fixbook.environment import installed_version
from fixbook.text import LANGS

if TYPE_CHECKING:
    from pydantic import BaseModel

    from fixbook.text import Lang

ROOT = Path(__file__).parents[2]
INSTALLED = ("accelerate", "axolotl", "deepspeed", "transformers")
tools = pytest.mark.tools


def test_every_tool_has_a_table_of_several_releases() -> None:
    for tool in TOOLS.values():
        assert len(tool.versions) >= 4
        assert set(tool.table["sources"]) == set(tool.versions)


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_on_checks_counts_the_rules_that_there_are(lang: Lang) -> None:
    page = ROOT / "docs" / lang / "checking.md"
    assert tools_table(lang) in page.read_text("utf-8"), "run 'python -m bench.checking_page'"


@pytest.mark.parametrize("tool", INSTALLED)
def test_newest_release_of_a_table_is_the_one_that_is_pinned(tool: str) -> None:
    assert TOOLS[tool].newest == installed_version(tool)


@tools
@pytest.mark.parametrize("tool", INSTALLED)
def test_extracting_from_the_installed_package_gives_the_same_keys(tool: str) -> None:
    spec = importlib.util.find_spec(tool)
    assert spec is not None
    release = read_installed(tool, TOOLS[tool].newest, Path(str(spec.origin)).parent)
    for schema, found in keys_of(tool, release.files).items():
        known = schema_of(tool, schema)
        ours = {key for key, row in known.own.items() if known.has(row)}
        assert ours == set(found)


def _names(model: type[BaseModel]) -> set[str]:
    names = set(model.model_fields)
    for field in model.model_fields.values():
        for alias in (field.alias, field.validation_alias):
            choices: Any = getattr(alias, "choices", [alias])
            names |= {name for name in choices if isinstance(name, str)}
    return names


@tools
@pytest.mark.filterwarnings("default")
def test_axolotl_itself_has_these_keys() -> None:
    from axolotl.utils.schemas.config import AxolotlInputConfig
    from axolotl.utils.schemas.fsdp import FSDPConfig

    plugins = set(TOOLS["axolotl"].table["schemas"]["plugins"])
    ours = {key for key in schema_of("axolotl").valid if "." not in key}
    assert ours - plugins == _names(AxolotlInputConfig) - plugins
    nested = {
        key.partition(".")[2]
        for key in schema_of("axolotl").valid
        if key.startswith("fsdp_config.")
    }
    assert nested == _names(FSDPConfig)


@tools
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["TrainingArguments", "Seq2SeqTrainingArguments"])
def test_transformers_itself_has_these_keys(name: str) -> None:
    import transformers

    real = {field.name for field in dataclasses.fields(getattr(transformers, name)) if field.init}
    ours = {key for key in schema_of("transformers", name).valid if "." not in key}
    assert ours == {key for key in real if not key.startswith("_")}


@tools
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["Trainer", "Seq2SeqTrainer"])
def test_trainers_themselves_take_these_arguments(name: str) -> None:
    import transformers

    real = inspect.signature(getattr(transformers, name)).parameters
    assert schema_of("transformers", name).valid.keys() == real.keys()


@tools
@pytest.mark.filterwarnings("default")
def test_an_accelerator_itself_takes_these_arguments() -> None:
    from accelerate import Accelerator

    real = inspect.signature(Accelerator).parameters
    assert schema_of("accelerate", "Accelerator").valid.keys() == real.keys()


@tools
@pytest.mark.filterwarnings("default")
def test_transformers_itself_has_these_values() -> None:
    from transformers.trainer_utils import IntervalStrategy, SchedulerType
    from transformers.training_args import OptimizerNames

    rows = schema_of("transformers", "TrainingArguments").keys
    for key, enum in (
        ("optim", OptimizerNames),
        ("lr_scheduler_type", SchedulerType),
        ("eval_strategy", IntervalStrategy),
    ):
        assert set(rows[key]["values"]) == {member.value for member in enum}


@tools
@pytest.mark.filterwarnings("default")
def test_deepspeed_itself_has_these_sections() -> None:
    from deepspeed.runtime.precision_config import DeepSpeedBF16Config, DeepSpeedFP16Config
    from deepspeed.runtime.zero.config import DeepSpeedZeroConfig

    sections: dict[str, type[BaseModel]] = {
        "bf16": DeepSpeedBF16Config,
        "fp16": DeepSpeedFP16Config,
        "zero_optimization": DeepSpeedZeroConfig,
    }
    valid = schema_of("deepspeed").valid
    for section, model in sections.items():
        ours = {key.split(".")[1] for key in valid if key.startswith(section + ".")}
        assert ours == _names(model)


@tools
@pytest.mark.filterwarnings("default")
def test_accelerate_itself_has_these_keys() -> None:
    from accelerate.commands.config.config_args import ClusterConfig

    ours = {key for key in schema_of("accelerate").valid if "." not in key}
    assert ours == {field.name for field in dataclasses.fields(ClusterConfig)} | {
        "fp16",
        "dynamo_backend",
    }


def test_new_names_of_renames_exist() -> None:
    for rule in rules().values():
        for name in rule["tools"] if rule["renames"] else ():
            tool, _, schema = name.partition("/")
            schemas = [schema] if schema else TOOLS[tool].schemas
            every = {key for one in schemas for key in schema_of(tool, one).valid}
            assert set(rule["renames"].values()) - {""} <= every, rule["id"]


@pytest.mark.parametrize(
    ("tool", "schema", "written", "meant", "sure"),
    [
        ("axolotl", "axolotl", "gradient_chekpointing", "gradient_checkpointing", True),
        ("axolotl", "axolotl", "sequence_length", "sequence_len", False),
        ("deepspeed", "deepspeed", "zero_optimization.stagee", "zero_optimization.stage", True),
    ],
)
def test_nearest_key(tool: str, schema: str, written: str, meant: str, sure: bool) -> None:  # noqa: FBT001
    assert schema_of(tool, schema).nearest(written) == (meant, sure)


def test_key_without_neighbour() -> None:
    assert schema_of("axolotl").nearest("favourite_colour") is None
