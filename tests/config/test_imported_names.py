"""Names that a release has no longer, or not yet: out of releases, and in Python files."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from fixbook.config import imported_names, tables
from fixbook.config.check import check
from fixbook.config.extract.archives import Release
from fixbook.config.extract.changed_names import changed_names
from fixbook.config.extract.still_there import corrected
from fixbook.config.imported_names import lacking
from fixbook.config.pins import pin
from fixbook.config.read import read_file
from fixbook.config.tool import import_name
from fixbook.environment import installed_version

LAZY = """
_import_structure = {"trainer": ["Trainer"]}
_import_structure["integrations"].append("is_sigopt_available")
"""
OLD = {
    "kit/__init__.py": LAZY,
    "kit/trainer.py": "import os\nfrom .utils import helper\nclass Trainer: ...\n_step = 1\n",
    "kit/utils.py": "def helper(): ...\ndef comes_back(): ...\nTABLE = {}\n",
    "kit/star.py": "from .utils import *\n",
    "kit/deepspeed.py": "def zero(): ...\n",
    "kit/models/llama.py": "from ..utils import TABLE\nclass Attention: ...\ndef _private(): ...\n",
}
BETWEEN = OLD | {
    "kit/utils.py": "def helper(): ...\nTABLE = {}\n",
    "kit/trainer.py": "from .utils import helper\nclass Trainer: ...\n",
}
NEW = {
    "kit/__init__.py": "x = define_import_structure(__file__)\n",
    "kit/trainer.py": "__all__ = ['Trainer']\nclass Trainer: ...\n",
    "kit/utils.py": "def comes_back(): ...\n",
    "kit/tools.py": "try:\n    import fast\nexcept ImportError:\n    def helper(): ...\n",
    "kit/star.py": "from .tools import *\n",
    "kit/models/llama.py": "def __getattr__(name):\n    if name == 'Attention': ...\n",
}


def test_what_changed_is_read_out_of_releases() -> None:
    releases = [
        Release("kit", version, f"kit-{version}", files)
        for version, files in (("10.0", NEW), ("9.0", OLD), ("5.0", BETWEEN), ("1.0", OLD))
    ]
    assert changed_names(releases) == {
        "releases": ["1.0", "5.0", "9.0", "10.0"],
        "gone": {
            "": {"integrations": ["9.0"], "is_sigopt_available": ["9.0"]},
            "deepspeed": {"*": ["9.0"]},
            "star": {"TABLE": ["9.0"], "comes_back": ["9.0", "utils"]},
            "trainer": {"_step": ["9.0"], "helper": ["9.0", "tools"]},
            "utils": {"TABLE": ["9.0"], "helper": ["9.0", "tools"]},
        },
        "since": {"": {"10.0": ["x"]}, "tools": {"10.0": ["*"]}},
    }


def _gone(*releases: dict[str, str]) -> dict[str, dict[str, list[str]]]:
    numbered = enumerate(releases, start=1)
    read = [Release("kit", f"{number}.0", "", files) for number, files in numbered]
    gone: dict[str, dict[str, list[str]]] = changed_names(read)["gone"]
    return gone


def test_what_lightning_puts_back_for_a_while_is_gone_when_it_does_so_no_more() -> None:
    old = {"kit/loggers/base.py": "", "kit/plugins.py": "class DDPPlugin: ...\nclass Own: ...\n"}
    buried = {"kit/plugins.py": "", "kit/_graveyard/a.py": "_put('kit.loggers.base', 'DDP')\n"}
    after = {"kit/plugins.py": ""}
    plugins = {"DDPPlugin": ["2.0"], "Own": ["1.0"]}
    assert _gone(old, buried, after) == {
        "_graveyard.a": {"*": ["2.0"]},
        "loggers.base": {"*": ["2.0"]},
        "plugins": plugins,
    }


def test_a_module_whose_name_a_function_has_is_not_told() -> None:
    old = {"kit/__init__.py": "from .snapshot import snapshot\n", "kit/snapshot.py": ""}
    assert _gone(old, {"kit/__init__.py": "from ._snapshot import snapshot\n"}) == {}


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of a package that the doctor knows."""
    table = {
        "releases": ["4.40.2", "4.57.6", "5.0.0"],
        "gone": {"trainer": {"helper": ["4.40.2", "tools"]}, "deepspeed": {"*": ["4.57.6"]}},
        "since": {"": {"4.57.6": ["Qwen3Model"]}, "models.qwen3": {"4.57.6": ["*"]}},
    }
    monkeypatch.setattr(imported_names, "changed_names", lambda package: table if package else {})
    imported_names._firsts.cache_clear()


HELPER = "from transformers.trainer import helper"
NO_HELPER = "no `helper` in `transformers.trainer` (last seen in 4.40.2)"
AT_HOME = f"{NO_HELPER}; this release defines the name in `transformers.tools`"
MODULE = "from transformers import deepspeed"
CLASS = "from transformers import Qwen3Model"
NO_CLASS = "no `Qwen3Model` in `transformers` yet (first seen in 4.57.6)"
IN_MODEL = "from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention"
NO_MODEL = "no module `transformers.models.qwen3` yet (first seen in 4.57.6)"
NO_MODULE = "no module `transformers.deepspeed` (last seen in 4.57.6)"


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize(
    ("pinned", "line", "said"),
    [
        ("5.0.0", HELPER, AT_HOME),
        ("4.57.6", HELPER, NO_HELPER),
        ("4.50.0", HELPER, ""),  # between two that were read
        ("5.0.0", "from transformers.deepspeed import zero", NO_MODULE),
        ("5.0.0", MODULE, NO_MODULE),
        ("4.57.6", MODULE, ""),
        ("5.0.0", "from transformers.trainer import Trainer", ""),
        ("4.40.2", CLASS, NO_CLASS),
        ("4.30.0", CLASS, NO_CLASS),
        ("4.50.0", CLASS, ""),  # between two that were read
        ("5.0.0", CLASS, ""),
        ("4.40.2", IN_MODEL, NO_MODEL),
        ("4.57.6", IN_MODEL, ""),
        ("5.0.0", f"try:\n    {MODULE}\nexcept ImportError:\n    pass", ""),
    ],
)
def test_an_import_is_judged_by_the_release_that_is_pinned(
    tmp_path: Path, pinned: str, line: str, said: str
) -> None:
    (tmp_path / "requirements.txt").write_text(f"transformers=={pinned}\n", "utf-8")
    file = tmp_path / "train.py"
    file.write_text(f"{line}\n", "utf-8")
    document = read_file(file)
    pin(document)
    found = [one.text("en") for one in check([document]).findings]
    assert found == ([f"transformers {pinned} has {said}"] if said else [])


def test_a_package_of_the_repository_by_that_name_is_not_the_tool(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("datasets==5.2.0\n", "utf-8")
    file = tmp_path / "train.py"
    file.write_text("from datasets import load_metric\n", "utf-8")
    document = read_file(file)
    pin(document)
    assert [one.rule for one in check([document]).findings] == ["import-gone"]
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "__init__.py").write_text("def load_metric(): ...\n", "utf-8")
    assert check([document]).findings == []


@pytest.mark.parametrize(
    ("pinned", "count"),
    [
        ("transformers==4.37.2", 0),
        ("transformers==4.37.2\ntrl==1.16.0", 1),
        ("transformers==4.57.6", 1),
        ("", 1),
    ],
)
def test_the_newest_is_not_meant_where_the_pin_of_transformers_is_too_old_for_it(
    tmp_path: Path, pinned: str, count: int
) -> None:
    (tmp_path / "requirements.txt").write_text(f"{pinned}\n", "utf-8")
    file = tmp_path / "train.py"
    file.write_text("from trl.trainer.utils import RunningMoments\n", "utf-8")
    document = read_file(file)
    pin(document)
    assert len(check([document]).findings) == count


def test_what_importing_showed_corrects_what_was_read() -> None:
    table = {
        "releases": ["1.0", "2.0", "3.0"],
        "gone": {"": {"TFModel": ["1.0", "home"], "Old": ["1.0"]}},
        "since": {"kernels": {"2.0": ["*"]}, "utils": {"2.0": ["helper"]}},
    }
    seen = {"seen": {"2.0": {"": ["TFModel", "Unknown"]}}, "older": {"kernels": ["*"]}}
    assert corrected(table, seen) == {
        "releases": ["1.0", "2.0", "3.0"],
        "gone": {"": {"TFModel": ["2.0", "home"], "Old": ["1.0"]}},
        "since": {"utils": {"2.0": ["helper"]}},
    }
    assert corrected(table, {}) == table


def test_the_tables_hold_what_importing_showed() -> None:
    written = json.loads((Path(__file__).parents[2] / "scripts/import-names.json").read_text())
    for tool, seen in written.items():
        table = tables.changed_names(tool)
        assert corrected(table, seen) == table


def test_a_copy_of_peft_in_the_repository_is_what_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("from peft import prepare_model_for_int8_training\n", "utf-8")
    (tmp_path / "requirements.txt").write_text("peft==0.21.2\n", "utf-8")
    (tmp_path / "README.md").write_text("", "utf-8")
    document = read_file(file)
    pin(document)
    assert [one.severity for one in check([document]).findings] == ["error"]
    copy = tmp_path / "peft/src/peft"
    copy.mkdir(parents=True)
    (copy / "__init__.py").write_text('__version__ = "0.3.0.dev0"\n', "utf-8")
    (copy / "peft_model.py").write_text("", "utf-8")
    document = read_file(file)
    pin(document)
    assert check([document]).findings == []


LINES = {
    "datasets==2.14.7": ("from datasets import List", "has no `List` in `datasets` yet"),
    "huggingface_hub==1.0.1": (
        "from huggingface_hub import HfFolder",
        "has no `HfFolder` in `huggingface_hub`",
    ),
    "pytorch-lightning==2.1.4": (
        "from pytorch_lightning.utilities.distributed import rank_zero_only",
        "has no module `pytorch_lightning.utilities.distributed`",
    ),
    "lightning==2.2.5": (
        "from lightning.pytorch.strategies import ModelParallelStrategy",
        "has no `ModelParallelStrategy` in `lightning.pytorch.strategies` yet",
    ),
    "transformers==4.45.2": (
        "from transformers import Gemma3ForConditionalGeneration",
        "has no `Gemma3ForConditionalGeneration` in `transformers` yet",
    ),
    "trl==0.12.2": ("from trl import GRPOTrainer", "has no `GRPOTrainer` in `trl` yet"),
}


@pytest.mark.parametrize("pinned", LINES)
def test_what_the_tables_say_of_well_known_names(tmp_path: Path, pinned: str) -> None:
    line, said = LINES[pinned]
    (tmp_path / "requirements.txt").write_text(f"{pinned}\n", "utf-8")
    file = tmp_path / "train.py"
    file.write_text(f"{line}\n", "utf-8")
    document = read_file(file)
    pin(document)
    (found,) = (one.text("en") for one in check([document]).findings)
    assert f"{pinned.replace('==', ' ').replace('-', '_')} {said} (" in found


ASKED = ["accelerate", "datasets", "huggingface-hub", "peft", "transformers"]


@pytest.mark.parametrize("package", ASKED)
def test_nothing_that_is_told_to_be_gone_is_in_the_release_that_is_installed(package: str) -> None:
    release = installed_version(package)
    assert release
    table = tables.changed_names(package)
    looked = {"": "", "trainer": "", "utils": "", "trainer_utils": "", "integrations": ""}
    there = []
    for module, names in table["gone"].items():
        if package == "transformers" and module not in looked:
            continue
        if lacking(package, module, "*", release):
            continue
        try:
            imported = importlib.import_module(f"{import_name(package)}.{module}".rstrip("."))
        except ImportError:  # a module for another framework
            continue
        there += [
            f"{module}.{n}"
            for n in names
            if lacking(package, module, n, release) and hasattr(imported, n)
        ]
    assert there == []
