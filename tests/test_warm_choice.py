"""Which steps are forked from a warm process, and what that process has imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.author.steps import Needs
from fixbook.recipe.process.worker import STAND_IN_VARIABLE
from fixbook.recipe.reading.imports import imports_of
from fixbook.recipe.running.start import starts_warm
from fixbook.recipe.running.warm_parents import SUPPORTED

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="steps are forked on Linux only")


def test_imports_are_those_of_large_libraries(tmp_path: Path) -> None:
    (tmp_path / "recipe.py").write_text(
        "import json, torch.nn as nn\nfrom . import x\nfrom .torch import y\n"
        "def f():\n    from transformers import (\n        Trainer as T,\n    )\n    import numpy\n"
    )
    (tmp_path / "broken.py").write_text("def (\n")
    found = imports_of(tmp_path)
    assert found.statements[:3] == (
        "import torch.nn", "from transformers import Trainer as T", "import numpy",
    )  # fmt: skip
    assert found.libraries == {"torch", "transformers"}


@pytest.mark.parametrize(
    ("needs", "warm"),
    [
        (Needs(), True),
        (Needs(ranks=2), True),
        (Needs(start="cold"), False),
        (Needs(env={"A": "1"}), True),
        (Needs(versions=("a==1",)), True),
        (Needs(on="cuda"), False),
        (Needs(on="cuda>=2", env={STAND_IN_VARIABLE: "libraries"}), True),
    ],
)
def test_who_starts_warm(needs: Needs, *, warm: bool) -> None:
    assert starts_warm(needs) is warm


def test_early_are_the_imports_that_any_step_of_a_file_executes(tmp_path: Path) -> None:
    (tmp_path / "recipe.py").write_text(
        "import torch\nfrom proof_run import run\ndef f():\n    import trl\n"
    )
    (tmp_path / "proof_run.py").write_text("import failure\ndef run():\n    import peft\n")
    (tmp_path / "failure.py").write_text("from transformers import Trainer\nimport proof_run\n")
    (tmp_path / "proof_old.py").write_text("import deepspeed\n")
    found = imports_of(tmp_path, "", tmp_path / "recipe.py")
    assert found.early == ("import torch", "from transformers import Trainer")
    assert set(found.early) < set(found.statements)
    assert "import torch._dynamo" not in found.early
