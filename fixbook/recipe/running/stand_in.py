"""Run a step of a GPU on one that stands in: in torch's build for CUDA, on a machine without one.

What holds there is what the host decides: devices, dtypes, shapes, ordinals, memory, messages. What
a kernel decides is computed on the CPU (see `fixbook.recipe.helpers.gpu`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.util
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.environment import installed_version
from fixbook.files import cache_folder
from fixbook.recipe.helpers import NoStandInError, stand_in_libraries
from fixbook.recipe.process.worker import STAND_IN_VARIABLE
from fixbook.recipe.record.result import Verdict
from fixbook.recipe.running.devices import gpus_wanted
from fixbook.recipe.running.notes import missing_values
from fixbook.recipe.running.overlays import OverlayError, has_overlay, overlay
from fixbook.recipe.running.places import package_root
from fixbook.recipe.running.start import PATH_VARIABLE
from fixbook.text import say

if TYPE_CHECKING:
    from fixbook.book import BookEntry
    from fixbook.recipe.author.steps import Step

_HOOK = Path(__file__).with_name("on_stand_in")
_CODE = Path(__file__).parents[1] / "helpers" / "gpu"
# CUDA's own runtime says what its errors are called.
_RUNTIME = "nvidia-cuda-runtime==13.0.96"
_SLOWER = 4  # how much longer a step may take, each operator running twice
_MORE_GIB = 1.5  # for each process: libraries of the CUDA build, and memory of the card


def releases() -> list[str]:
    """Return what must be installed beside the main environment: the CUDA build of its torch."""
    version = (installed_version("torch") or "").partition("+")[0]
    # Three signs: two would also take a build for the CPU, whose version ends in +cpu.
    return [f"torch==={version}", _RUNTIME]


def is_installed() -> bool:
    """Tell whether the build is there already; it is a download of half a gigabyte."""
    return _is_cuda(_main_torch()) or has_overlay(releases())


def state_of() -> str:
    """Return what decides how GPUs stand in: a short hash of its code and of the build's release.

    Rows of a rehearsal keep it beside the digest of their step, which knows nothing of it.
    """
    parts = [path for folder in (_CODE, _HOOK) for path in sorted(folder.iterdir())]
    code = [path.read_bytes() for path in (*parts, Path(__file__)) if path.is_file()]
    return hashlib.sha256(b"".join([*code, *map(str.encode, releases())])).hexdigest()[:8]


def can_stand_in() -> bool:
    """Tell whether GPUs can stand in on this machine with what is installed."""
    if not is_installed():
        return False
    try:
        places()
    except (NoStandInError, OverlayError):
        return False
    return True


def _main_torch() -> Path:
    spec = importlib.util.find_spec("torch")
    return Path(str(spec and spec.origin)).parent


def _is_cuda(torch: Path) -> bool:
    return (torch / "lib" / "libtorch_cuda.so").is_file()


def places() -> tuple[Path | None, Path]:
    """Return the folder that torch's CUDA build is in, if not the main one, and the libraries.

    Raises:
        NoStandInError: They cannot be made here.
        OverlayError: The build cannot be installed.
    """
    main = _main_torch()
    folder = None if _is_cuda(main) else overlay(releases())
    torch = folder / "torch" if folder else main
    return folder and _as_installed(folder), stand_in_libraries(torch, cache_folder() / "gpu")


def _as_installed(folder: Path) -> Path:
    """Return a folder under the name that packages lie in: by that a snippet may know torch."""
    named = cache_folder() / "gpu" / folder.name / "site-packages"
    named.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        named.symlink_to(folder)
    return named


def on_stand_in(item: BookEntry, step: Step, overlay_of_step: Path | None) -> Step:
    """Return a step as it is started on GPUs that stand in.

    Args:
        item: The entry.
        step: The step.
        overlay_of_step: Where the releases are that it asks for.

    Raises:
        NoStandInError: They cannot be made here.
        OverlayError: The build cannot be installed.
    """
    claims = item.entry.steps.get(step.name)
    hangs = bool(claims and claims.fails and claims.fails.exit == "timeout")
    needs, (folder, libraries) = step.needs, places()
    first = [path for path in (_HOOK, overlay_of_step, folder, package_root()) if path]
    added = filter(None, os.environ.get(PATH_VARIABLE, "").split(os.pathsep))
    gpus = gpus_wanted(needs)
    env = {
        "PYTHONPATH": os.pathsep.join([*map(str, first), *added]),
        STAND_IN_VARIABLE: str(libraries),
        "FIXBOOK_GPU_COUNT": str(gpus),
        **needs.env,
    }
    return dataclasses.replace(
        step,
        needs=dataclasses.replace(
            needs,
            on=f"cuda>={gpus}",
            env=env,
            timeout_s=needs.timeout_s * (1 if hangs else _SLOWER),
            # What lies on a card lies in the host's memory here.
            memory_gib=needs.memory_gib + needs.gpu_memory_gib + _MORE_GIB * max(1, needs.ranks),
        ),
    )


_ONLY_A_CARD = {"no failure", "measure", "found", "in force"}
_GLOO = re.compile(r"gloo::EnforceNotMet|Received data size doesn't match expected size")
_COMPILED = re.compile(r"triton|_inductor|TORCHDYNAMO|ptxas|nvcc", re.IGNORECASE)


def without_a_card(step: Step, verdict: Verdict, records: Path, log: str) -> Verdict:
    """Return what a verdict from GPUs that stand in is worth.

    Args:
        step: The step.
        verdict: The verdict on what it did there.
        records: What it has written down.
        log: Its output.

    Returns:
        ``skipped`` where the run met something that only a card can say.
    """
    if verdict.status != "failed":
        return verdict
    if operators := missing_values(records):
        said = say("only a card can say: no values of {names}", names=", ".join(operators))
        return Verdict("skipped", said)
    kinds = {one.kind for one in verdict.objections}
    if "no failure" in kinds:
        kinds -= {"other failure", "unrecognised"}  # nor is there a text of it
    if step.needs.on != "any" and kinds and kinds <= _ONLY_A_CARD:
        return Verdict("skipped", say("only a card can say: {reason}", reason=verdict.reason))
    if step.needs.on != "any" and _GLOO.search(log):
        return Verdict("skipped", say("only a card can say: gloo ends what NCCL waits for"))
    if _COMPILED.search(log):
        return Verdict("skipped", say("only a card can say: it compiles kernels"))
    return verdict
