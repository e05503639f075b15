"""Seed mistakes into the core by lot, and see whether the tests of each module catch them.

    python -m bench.mutants                  20 a module; goes on where it was cut off
    python -m bench.mutants --survivors      those that no test caught, again
    python -m bench.mutants --only scan      modules whose path holds this

Mistakes are written into a copy of the checkout below .cache/mutants, never into this one. Ends
with 1 where a survivor has no reason, or fewer than the goal are caught.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.mutants.modules import TESTS
from bench.mutants.report import page, reasons_of, said_before
from bench.mutants.session import draw, forget_survivors, mutants, session_path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache/mutants"
COPY = FOLDER / "checkout"
PAGE = ROOT / "docs/mutants.md"
REASONS = Path(__file__).with_name("reasons.yaml")
GOAL = 0.8
_LONG_S = 600.0  # ends tests that a mistake lets run for ever; a busy machine does not

_CONFIG = """\
[cosmic-ray]
module-path = "{module}"
timeout = {timeout}
excluded-modules = []
test-command = "{python} -m pytest -x -q -n 0 -p no:cacheprovider {tests}"

[cosmic-ray.distributor]
name = "local"
"""


def copy_checkout() -> None:
    """Copy what git knows of, as it is in this checkout, to where mistakes may be written."""
    listed = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    shutil.rmtree(COPY, ignore_errors=True)
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)


def run(module: str, tool: str, count: int, seed: int, *, survivors: bool) -> None:
    """Put the tests of one module to its mistakes."""
    session = session_path(FOLDER, COPY, module)
    config = session.with_suffix(".toml")
    tests = " ".join(TESTS[module])
    python = sys.executable
    text = _CONFIG.format(module=module, timeout=_LONG_S, python=python, tests=tests)
    config.write_text(text, "utf-8")
    # A compiled file is known by the second and the size of its source: two mistakes share both.
    env = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_CACHE_HOME": str(FOLDER / "cache"),
    }
    if not session.exists():
        _call([tool, "baseline", str(config)], env)
        new = session.with_suffix(".new")
        _call([tool, "init", str(config), str(new)], env)
        places = draw(new, (COPY / module).read_text("utf-8"), count, seed)
        new.rename(session)
        print(f"{module}: {count} of {places} places by lot", flush=True)
    elif survivors:
        forget_survivors(session)
    _call([tool, "exec", str(config), str(session)], env)
    found = mutants(session, module)
    print(f"{module}: {sum(one.killed for one in found)} of {len(found)} caught", flush=True)


def _call(command: list[str], env: dict[str, str]) -> None:
    subprocess.run(command, cwd=COPY, env=env, check=True)


def main() -> int:
    """Seed, run, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20, help="mistakes of each module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose path holds this")
    parser.add_argument("--survivors", action="store_true", help="run survivors again")
    parser.add_argument("--report", action="store_true", help="only write the page")
    parser.add_argument("--tool", default=str(FOLDER / "venv/bin/cosmic-ray"))
    asked = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not asked.report:
        copy_checkout()
        for module in TESTS:
            if asked.only in module:
                run(module, asked.tool, asked.count, asked.seed, survivors=asked.survivors)
    sessions = {module: session_path(FOLDER, ROOT, module) for module in TESTS}
    ran = {module: path for module, path in sessions.items() if path.exists()}
    told = said_before(PAGE.read_text("utf-8")) if PAGE.exists() else ()
    found = [one for module, path in ran.items() for one in mutants(path, module)]
    found += [one for one in told if one.module in sessions.keys() - ran.keys()]
    reasons = reasons_of(REASONS)
    PAGE.write_text(page(found, reasons), "utf-8")
    left = [one for one in found if not one.killed]
    print(f"{len(found) - len(left)} of {len(found)} caught; {PAGE.relative_to(ROOT)}")
    unsaid = [one for one in left if one.key not in reasons]
    return int(bool(unsaid) or len(left) > (1 - GOAL) * len(found))


if __name__ == "__main__":
    sys.exit(main())
