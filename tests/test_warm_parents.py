"""Libraries are imported with what a step asks for, in the process that it is forked from too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.reading.imports import imports_of
from fixbook.recipe.running.notes import read_measures
from fixbook.recipe.running.start import PATH_VARIABLE, begin, records_in, start_step, warm_parents
from fixbook.recipe.running.warm_parents import SUPPORTED

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="steps are forked on Linux only")

HEAD = "from fixbook.recipe import measure, reproduce\n@reproduce()\ndef it_breaks():\n"


def test_libraries_see_the_variables_and_versions_a_step_asks_for(tmp_path: Path) -> None:
    """Each set of them has a process of its own, in which libraries are imported with them."""
    overlay = tmp_path / "overlay"
    for name, file in (("trl", "__init__.py"), ("trl-9.9.dist-info", "METADATA")):
        (overlay / name).mkdir(parents=True)
        (overlay / name / file).write_text("Name: trl\nVersion: 9.9" if file == "METADATA" else "")
    (overlay / "trl" / "__init__.py").write_text("import os\nsaid = os.environ.get('SAY')\n")
    recipe = tmp_path / "recipe.py"
    recipe.write_text(f"{HEAD}    import trl\n    measure(said=trl.said)\n")
    pids = set()
    with warm_parents() as kept:
        for word in ("one", "two"):
            needs = Needs(versions=("trl==9.9",), env={"SAY": word}, timeout_s=30)
            (base := tmp_path / word).mkdir()
            step = Step("it-breaks", "reproduce", needs)
            outcome = start_step(recipe, step, base, overlay, parents=kept)
            assert (outcome.start, outcome.log) == ("warm", "")
            assert read_measures(records_in(base)) == {"said": word}
            pids |= {kept.pids()[-1]}
    assert len(pids) == 2


def test_a_module_that_comes_before_all_libraries(tmp_path: Path) -> None:
    (tmp_path / "device.py").write_text("import sys\nearly = 'numpy' not in sys.modules\n")
    recipe = tmp_path / "recipe.py"
    recipe.write_text(f"{HEAD}    import device, numpy\n    measure(early=device.early)\n")
    step = Step("it-breaks", "reproduce", Needs(import_first="device", timeout_s=30))
    for start in ("warm", "cold"):
        (base := tmp_path / start).mkdir()
        with warm_parents() as kept:
            outcome = start_step(recipe, step, base, parents=kept if start == "warm" else None)
        assert (outcome.start, outcome.log) == (start, "")
        assert read_measures(records_in(base)) == {"early": True}
    assert imports_of(tmp_path, "device").libraries != imports_of(tmp_path).libraries


@pytest.mark.parametrize("ahead", [False, True])
def test_the_first_step_does_not_wait_for_what_others_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, ahead: bool
) -> None:
    """It runs without, though the process goes on to import it for the second."""
    libraries = tmp_path / "libraries"
    for name in ("trl", "peft"):
        (libraries / name).mkdir(parents=True)
        (libraries / name / "__init__.py").write_text("")
    monkeypatch.setenv(PATH_VARIABLE, str(libraries))
    recipe = tmp_path / "recipe.py"
    seen = "import sys\n    measure(early='trl' in sys.modules, late='peft' in sys.modules)\n"
    recipe.write_text(f"import trl\n{HEAD}    {seen}def other():\n    import peft\n")
    found = []
    with warm_parents(hurry=True) as kept:
        if ahead:
            begin(recipe, Step("it-breaks", "reproduce", Needs(timeout_s=60)), kept)
        begun = kept.pids()
        for name in ("one", "two"):
            (base := tmp_path / name).mkdir()
            step = Step("it-breaks", "reproduce", Needs(timeout_s=60))
            outcome = start_step(recipe, step, base, parents=kept)
            assert (outcome.start, outcome.log) == ("warm", "")
            found.append(read_measures(records_in(base)))
        assert len(kept.pids()) == 1
        assert not ahead or kept.pids() == begun
    assert found == [{"early": True, "late": False}, {"early": True, "late": True}]
