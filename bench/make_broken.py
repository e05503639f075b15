"""Make the corpus of broken jobs: four ranks, of which one fails for a cause without an entry.

    nice python -m bench.make_broken [NAME...]

Every log is what torchrun and its ranks really printed, prefixes and lines of the ranks mixed as
they came, with the machine scrubbed out of it. Beside it is written which rank failed, what it
raised and in which function of the job's own code, as the failing rank itself recorded it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from bench.broken_jobs import ARCHIVE, EXPECTED, BrokenJob
from bench.make_healthy import pack
from fixbook.log.disguise import ESCAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPTS = Path(__file__).parent / "broken"
_MODULES = ("tensors", "data", "models")
_RANKS = 4
# How torchrun passes on what its ranks print, and what is switched on: taken in turn.
_LAYOUTS: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    ((), {}),
    (("--tee", "3"), {}),
    ((), {"TORCH_CPP_LOG_LEVEL": "INFO"}),
    (("--tee", "3"), {"PYTHONUNBUFFERED": "1"}),
)


def mistakes() -> Iterator[tuple[str, str]]:
    """Yield module and function of each mistake, in the order of the files."""
    for module in _MODULES:
        tree = ast.parse((SCRIPTS / f"{module}.py").read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield module, node.name


def run(number: int, module: str, name: str, folder: Path) -> tuple[BrokenJob, str] | None:
    """Run one job and return what is to be found in its log, and the log."""
    scratch = folder / name
    scratch.mkdir()
    guilty = number % _RANKS
    raised = scratch / "raised.json"
    flags, variables = _LAYOUTS[number // _RANKS % len(_LAYOUTS)]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(SCRIPTS),
        "RAISED": str(raised),
        **variables,
    }
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", *flags]
    job = [f"--nproc-per-node={_RANKS}", str(SCRIPTS / "job.py"), module, name, str(guilty)]
    ran = subprocess.run(
        [*launcher, *job],
        cwd=scratch,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    if ran.returncode == 0 or not raised.is_file():
        print(f"{name}: ended with {ran.returncode} and raised nothing, left out", file=sys.stderr)
        return None
    text = _elsewhere(ran.stdout.decode("utf-8", "replace"), scratch)
    error, function = json.loads(raised.read_text("utf-8"))
    error = ESCAPES.sub("", _elsewhere(error, scratch)).strip()
    print(f"{name}: {error[:100]}", flush=True)
    return BrokenJob(name, guilty, error, function), text


def _elsewhere(text: str, scratch: Path) -> str:
    """Take the machine out of a log; paths stay paths, since an answer reads them."""
    paths = sysconfig.get_paths()
    places = {
        str(scratch): "/workspace/run",
        str(SCRIPTS): "/workspace/train",
        paths["purelib"]: "/opt/venv/lib/python3.11/site-packages",
        paths["stdlib"]: "/usr/lib/python3.11",
        paths["data"]: "/opt/venv",
        tempfile.gettempdir(): "/tmp",  # noqa: S108
        socket.gethostname(): "node-1",
    }
    for place, name in sorted(places.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(place, name)
    return text


def main() -> None:
    """Run what was asked for, two at a time, and pack it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these jobs; nothing is written")
    options = parser.parse_args()
    numbered = [(number, *both) for number, both in enumerate(mistakes())]
    wanted = [job for job in numbered if not options.names or job[2] in options.names]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        ran = [*pool.map(lambda job: run(job[0], job[1], job[2], Path(folder)), wanted)]
    made = [one for one in ran if one is not None]
    if options.names:
        print(*(text for _, text in made), sep="\n")
        return
    pack({job.name: text for job, text in made}, ARCHIVE)
    rows = [asdict(job) for job, _ in made]
    EXPECTED.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
