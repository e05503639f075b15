"""Write into docs/*/watch.md what two watched runs print: a hang, and a failure without a word.

Usage: python -m bench.watch_casts

Each block below its heading is what was printed, with the machine's own paths taken out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from bench.casts import write_casts

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(__file__).parent / "watched"
_HANG = ("--hook", "--stall-after", "10", "--every", "1", "--on-stall", "terminate")
CASTS = {
    "hang": (
        "other_collective.py",
        (("watch", *_HANG, "--", "torchrun", "--standalone", "--nproc-per-node", "2", "train.py"),),
    ),
    "silent": (
        "all_masked.py",
        (("watch", "--", "python", "train.py"), ("diagnose", "run", "out")),
    ),
}


def cast(name: str, lang: str) -> str:
    """Run the commands of one and return them with what they print."""
    script, commands = CASTS[name]
    shown = []
    tools = {
        "python": [sys.executable],
        "torchrun": [sys.executable, "-m", "torch.distributed.run"],
    }
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SCRIPTS / script, Path(folder) / "train.py")
        for command in commands:
            words = [part for word in command for part in tools.get(word, [word])]
            place = ["--folder", "run"] if words[0] == "watch" else []
            done = subprocess.run(
                [sys.executable, "-m", "fixbook", words[0], *place, "--lang", lang, *words[1:]],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=300,
            )
            text = _elsewhere(done.stdout.decode("utf-8", "replace"), folder)
            shown.append(f"$ fixbook {' '.join([words[0], *place, *command[1:]])}\n{text.rstrip()}")
    return "\n".join(shown)


def _elsewhere(text: str, folder: str) -> str:
    paths = sysconfig.get_paths()
    places = {folder: "/home/you", paths["purelib"]: "/opt/lib", str(ROOT): "/opt/fixbook"}
    for place, name in places.items():
        text = text.replace(os.path.realpath(place), name).replace(place, name)
    return re.sub(r"(?m)[ \t]+$", "", text)


def main() -> None:
    """Run them in both languages, and write the pages."""
    write_casts(ROOT / "docs", "watch.md", CASTS, cast)


if __name__ == "__main__":
    main()
