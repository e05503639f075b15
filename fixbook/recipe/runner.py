"""Run the steps of a recipe, each in a fresh process, and judge them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.environment import machine
from fixbook.log.diagnose import diagnose
from fixbook.recipe.needs import unmet
from fixbook.recipe.overlays import OverlayError, overlay
from fixbook.recipe.process import Limits, run
from fixbook.recipe.result import StepResult, Verdict
from fixbook.recipe.scrub import scrub
from fixbook.recipe.snippets import MEASURES_VARIABLE, SNIPPETS_VARIABLE
from fixbook.recipe.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.steps import Step

_PACKAGE_ROOT = Path(__file__).resolve().parents[2]
# Settings of the caller's shell that would change what a step does.
_FOREIGN = re.compile(
    r"(?:CUDA_LAUNCH_BLOCKING|NCCL_|TORCH_|PYTORCH_|TRITON_|OMP_|MKL_|GLOO_|RAY_|HF_|TRANSFORMERS_|"
    r"MASTER_|RANK$|WORLD_SIZE$|LOCAL_|GROUP_|ROLE_|FIXBOOK_|PYTHON(?!NOUSERSITE$))"
)


def run_step(item: BookEntry, step: Step, index: Index, stop: Event | None = None) -> StepResult:
    """Run one step in a process of its own.

    Args:
        item: The entry the step belongs to.
        step: The step.
        index: Compiled signatures, to recognise the step's log.
        stop: Ends the step when set.

    Returns:
        Its result; ``skipped`` with the reason if this machine lacks something.
    """
    lacking = unmet(step.needs, machine())
    if lacking:
        return StepResult(item.slug, step, Verdict("skipped", lacking))
    try:
        folder = overlay(step.needs.versions)
    except OverlayError as error:
        return StepResult(item.slug, step, Verdict("failed", str(error)))
    with tempfile.TemporaryDirectory(prefix="fixbook-", ignore_cleanup_errors=True) as name:
        return _run_in(Path(name), item, step, index, folder, stop)


def _run_in(
    base: Path, item: BookEntry, step: Step, index: Index, folder: Path | None, stop: Event | None
) -> StepResult:
    scratch, records, snippets = base / "scratch", base / "measures.jsonl", base / "snippets.json"
    scratch.mkdir()
    code = {name: snippet.code for name, snippet in item.entry.snippets.items()}
    snippets.write_text(json.dumps(code), "utf-8")
    needs = step.needs
    outcome = run(
        _command(item.folder / step.file, step),
        env=_environment(step, base, folder),
        cwd=scratch,
        limits=Limits(needs.timeout_s, needs.memory_gib),
        stop=stop,
    )
    measures = read_measures(records)
    diagnosis = diagnose(outcome.log, index)
    verdict = judge(item, step, outcome, measures, diagnosis)
    places = {"<scratch>": base, "<recipe>": item.folder, "<fixbook>": _PACKAGE_ROOT}
    if folder:
        places["<overlay>"] = folder
    log = scrub(outcome.log, places)
    best = diagnosis.best
    return StepResult(
        item.slug,
        step,
        verdict,
        dataclasses.replace(outcome, log=log),
        measures,
        log,
        best.owner if best else None,
        used_snippets(records),
    )


def _command(recipe: Path, step: Step) -> list[str]:
    command = [sys.executable]
    if step.needs.ranks > 1:
        command += ["-m", "torch.distributed.run", "--standalone", "--local-addr=127.0.0.1"]
        command += [f"--nproc-per-node={step.needs.ranks}"]
    return [*command, "-m", "fixbook.recipe.worker", str(recipe.resolve()), step.name]


def _environment(step: Step, base: Path, folder: Path | None) -> dict[str, str]:
    scratch = base / "scratch"
    env = {name: value for name, value in os.environ.items() if not _FOREIGN.match(name)}
    path = [str(part) for part in (folder, _PACKAGE_ROOT) if part]
    env |= {
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONUNBUFFERED": "1",  # a crash must not swallow what was printed before it
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "TMPDIR": str(scratch),
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(scratch / "hf"),
        "TOKENIZERS_PARALLELISM": "false",
        MEASURES_VARIABLE: str(base / "measures.jsonl"),
        SNIPPETS_VARIABLE: str(base / "snippets.json"),
    }
    return env | dict(step.needs.env)


def read_measures(records: Path) -> dict[str, Any]:
    """Read what the ranks of a step recorded; rank 0 keeps its names, rank k gets a prefix."""
    measures: dict[str, Any] = {}
    for record in _lines(records):
        if "values" in record:
            prefix = f"rank{record['rank']}." if record["rank"] else ""
            measures |= {prefix + name: value for name, value in record["values"].items()}
    return measures


def used_snippets(records: Path) -> tuple[str, ...]:
    """Return the ids of the snippets that a step executed, in any of its ranks."""
    return tuple(sorted({record["snippet"] for record in _lines(records) if "snippet" in record}))


def _lines(records: Path) -> Iterator[dict[str, Any]]:
    if records.is_file():
        for line in records.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):  # the process died while writing it
                yield json.loads(line)
