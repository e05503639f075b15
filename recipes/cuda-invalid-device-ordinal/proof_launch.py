"""A launcher whose processes, like this one, see GPUs that stand in."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import snippet_text

HERE = Path(__file__).resolve().parent


CHOOSE = """
from failure import choose

print("chose", choose(int(os.environ["LOCAL_RANK"]))["device"])
"""


def launch(command: str) -> dict[str, Any]:
    """Run a launcher; each rank runs the page's check, and chooses its GPU."""
    Path("train.py").write_text(snippet_text("enough-gpus") + CHOOSE)
    Path("site").mkdir()
    Path("site/sitecustomize.py").write_text("import proof_driver\n")
    before = [str(Path("site").resolve()), str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(before), "PATH": path}
    done = subprocess.run(
        ["bash", "-c", command],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    os.write(1, done.stdout.encode())
    if done.returncode:
        raise SystemExit(done.returncode)
    said = re.findall(r"(?m)^(\d+) None (\d+)$", done.stdout)
    devices = sorted(re.findall(r"chose (cuda:\d+)", done.stdout))
    return {"found": any(int(rank) >= int(gpus) for rank, gpus in said), "devices": devices}
