"""Scripts with and without a guard, run as programs, and what the page's lines say of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import measure, run_snippet, snippet_text

SCRIPT = Path("train.py")
HERE = str(Path(__file__).parent)
TEXTS = {
    "bare": "from failure import train\n\ntrain()\n",
    "fork": 'from failure import train\n\ntrain("fork")\n',
    "frozen": (
        "import multiprocessing\n\nfrom failure import train\n\n"
        "multiprocessing.freeze_support()\nprint('freeze_support was called')\ntrain()\n"
    ),
    "alone": "from failure import start_alone\n\nstart_alone()\n",
    "guarded": (
        "from failure import train\n\nprint('loading the model')\n\n"
        'if __name__ == "__main__":\n    train()\n'
    ),
    "inside": (
        "from failure import train\n\n\n"
        "def main():\n    print('loading the model')\n    train()\n\n\n"
        'if __name__ == "__main__":\n    main()\n'
    ),
}


def write(kind: str) -> None:
    """Write the script; another kind is a snippet of the page."""
    SCRIPT.write_text(TEXTS[kind] if kind in TEXTS else snippet_text(kind), "utf-8")


def run(kind: str) -> dict[str, Any]:
    """Run the script, and end as it ends."""
    write(kind)
    command = [sys.executable, str(SCRIPT)]
    env = os.environ | {"PYTHONPATH": HERE}
    done = subprocess.run(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    os.write(1, done.stdout.encode())
    loads = done.stdout.count("loading the model")
    measure(frozen="freeze_support was called" in done.stdout, code=done.returncode, loads=loads)
    measure(found=asked())
    if done.returncode:
        sys.exit(done.returncode)
    return {"rows": "rows: 4" in done.stdout, "went_on": "the parent goes on" in done.stdout}


def asked() -> bool:
    """Whether the page's line says that the guard is missing."""
    return "no guard" in run_snippet("look").stdout


def look(kind: str) -> dict[str, bool]:
    """Run the page's line on a script."""
    write(kind)
    return {"found": asked()}
