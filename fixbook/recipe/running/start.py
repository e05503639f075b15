"""Start a step: forked from a warm process where that is sound, as a fresh interpreter otherwise.

Both get the same environment, limits, session and scratch folder, and leave the same records.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.recipe.author.devices import DEVICE_VARIABLE
from fixbook.recipe.author.snippets import MEASURES_VARIABLE, SNIPPETS_VARIABLE
from fixbook.recipe.process.command import run
from fixbook.recipe.process.outcome import Limits, Outcome
from fixbook.recipe.process.warm_step import ForkRequest, WarmStartError
from fixbook.recipe.process.watch import watch
from fixbook.recipe.process.worker import STAND_IN_VARIABLE, VERSIONS_VARIABLE
from fixbook.recipe.reading.imports import imports_of
from fixbook.recipe.running.devices import device_of
from fixbook.recipe.running.places import package_root
from fixbook.recipe.running.warm_parents import SUPPORTED, WarmParents

if TYPE_CHECKING:
    from threading import Event

    from fixbook.recipe.author.steps import Needs, Step
    from fixbook.recipe.running.devices import Device

PATH_VARIABLE = "FIXBOOK_PATH"  # folders that a bundle adds to the path of every step
_log = logging.getLogger(__name__)
# Settings of the caller's shell that would change what a step does.
_FOREIGN = re.compile(
    r"(?:CUDA_LAUNCH_BLOCKING|NCCL_|TORCH_|PYTORCH_|TRITON_|OMP_|MKL_|GLOO_|RAY_|HF_|TRANSFORMERS_|"
    r"MASTER_|RANK$|WORLD_SIZE$|LOCAL_|GROUP_|ROLE_|FIXBOOK_|PYTHON(?!NOUSERSITE$))"
)


def records_in(base: Path) -> Path:
    """Return the file that a step writes its measures into."""
    return base / "measures.jsonl"


def snippets_in(base: Path) -> Path:
    """Return the file that a step reads the entry's snippets from."""
    return base / "snippets.json"


def starts_warm(needs: Needs) -> bool:
    """Tell whether a step may be forked.

    A parent that has looked for a GPU would leave its children a CUDA that cannot be initialised;
    one that stands in bears it.
    """
    on_gpu = _device(needs) != "cpu" and STAND_IN_VARIABLE not in needs.env
    return SUPPORTED and needs.start != "cold" and not on_gpu


def _device(needs: Needs) -> Device:
    return device_of(needs, len(machine().gpus))


def warm_parents(*, hurry: bool = False) -> WarmParents:
    """Return a keeper of warm processes, none of them started yet; see `WarmParents`."""
    return WarmParents(hurry=hurry)


def _parent_environment(needs: Needs, overlay: Path | None) -> dict[str, str]:
    """Return what a step's libraries find while they are imported."""
    # They keep HF_HOME as they find it; relative, it is the scratch folder of each step.
    env = _environment(Path("hf"), *([overlay] if overlay else []))
    # Inductor's pool of compilers, once started, would be shared by all that are forked later.
    return env | {"TORCHINDUCTOR_COMPILE_THREADS": "1"} | dict(needs.env)


def begin(recipe: Path, step: Step, parents: WarmParents) -> None:
    """Let the process that a step will be forked from begin with its imports.

    Args:
        recipe: The recipe file.
        step: A step that asks for no releases of its own.
        parents: Where it will be forked from.
    """
    if starts_warm(step.needs):
        imports = imports_of(recipe.parent, step.needs.import_first, recipe)
        parents.begin(imports, _parent_environment(step.needs, None))


def start_step(
    recipe: Path,
    step: Step,
    base: Path,
    overlay: Path | None = None,
    *,
    stop: Event | None = None,
    parents: WarmParents | None = None,
) -> Outcome:
    """Run a step to its end or to one of its limits.

    Args:
        recipe: The recipe file.
        step: The step.
        base: An empty folder for its scratch folder and records.
        overlay: Where other versions are installed that it asks for.
        stop: Ends it when set.
        parents: Where to fork it from; without, and where that fails, it starts cold.

    Returns:
        How it ended. No process of it is left.
    """
    scratch = base / "scratch"
    scratch.mkdir()
    env = _step_environment(step, base, overlay)
    limits = Limits(step.needs.timeout_s, step.needs.memory_gib)
    worker = ["-m", "fixbook.recipe.process.worker", str(recipe.resolve()), step.name]
    torchrun = [*_torchrun(step.needs.ranks), *worker] if step.needs.ranks > 1 else []
    if parents and starts_warm(step.needs):
        forked = ForkRequest(recipe, step.name, env, scratch, torchrun, limits)
        imports = imports_of(recipe.parent, step.needs.import_first, recipe)
        try:
            running = parents.start(forked, imports, _parent_environment(step.needs, overlay))
            return watch(running, scratch, limits, stop)
        except WarmStartError as error:
            _log.warning("%s/%s runs cold: %s", recipe.parent.name, step.name, error)
            records_in(base).unlink(missing_ok=True)
            shutil.rmtree(scratch)
            scratch.mkdir()
    launcher = ["-m", "torch.distributed.run", *torchrun] if torchrun else worker
    return run([sys.executable, *launcher], env=env, cwd=scratch, limits=limits, stop=stop)


def _torchrun(ranks: int) -> list[str]:
    return ["--standalone", "--local-addr=127.0.0.1", f"--nproc-per-node={ranks}"]


def _step_environment(step: Step, base: Path, overlay: Path | None) -> dict[str, str]:
    scratch = base / "scratch"
    env = _environment(scratch / "hf", *([overlay] if overlay else []))
    env |= {
        "TMPDIR": str(scratch),
        MEASURES_VARIABLE: str(records_in(base)),
        SNIPPETS_VARIABLE: str(snippets_in(base)),
    }
    device = _device(step.needs)
    env |= {DEVICE_VARIABLE: device, VERSIONS_VARIABLE: " ".join(step.needs.versions)}
    if step.needs.on == "any" and device == "cpu":
        env |= {"CUDA_VISIBLE_DEVICES": ""}  # with fewer GPUs than ranks, none takes any
    return env | dict(step.needs.env)


def _environment(hf_home: Path, *first: Path) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not _FOREIGN.match(name)}
    added = filter(None, os.environ.get(PATH_VARIABLE, "").split(os.pathsep))
    return env | {
        "PYTHONPATH": os.pathsep.join(str(part) for part in (*first, package_root(), *added)),
        "PYTHONUNBUFFERED": "1",  # a crash must not swallow what was printed before it
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(hf_home),
        "TOKENIZERS_PARALLELISM": "false",
    }
