"""Start the training step: with canaries, under AddressSanitizer, or its allocation alone."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import run_python, with_preload

HERE = str(Path(__file__).resolve().parent)
STEP = (
    "import json, sys; sys.path.insert(0, sys.argv[1]); "
    "from proof_kernel import train_watched; from fixbook.recipe import measure; "
    "measure(worst_error=train_watched(**json.loads(sys.argv[2]))['worst_error'])"
)
# Short stacks and a small quarantine: the rest of the process is not what is being looked at.
OPTIONS = "detect_leaks=0:print_legend=0:malloc_context_size=4:quarantine_size_mb=1"


def one_step(**how: Any) -> dict[str, Any]:
    """Train one step with canaries behind the buffers; see `proof_kernel.train_watched`."""
    from proof_kernel import train_watched

    return train_watched(**how)


def sanitized(**how: Any) -> None:
    """Train the same step under AddressSanitizer, which has to be loaded before Python."""
    env = {"ASAN_OPTIONS": OPTIONS}
    for library in ("libstdc++.so", "libasan.so"):
        command = ["g++", f"-print-file-name={library}"]
        path = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        env = with_preload(path.strip(), env)
    done = run_python(STEP, HERE, json.dumps({"sanitize": True, **how}), env=env, timeout_s=220)
    found = re.search(r"ERROR: AddressSanitizer: ([\w-]+)", done.stdout)
    measure(reported=found[1] if found else "nothing")
    sys.exit(done.returncode)


def look(apply: str = "") -> dict[str, Any]:
    """Run the page's measurement in today's release, on its own backward or on the patched one."""
    from transformers.models.rwkv import modeling_rwkv as rwkv

    source = inspect.getsource(rwkv.RwkvLinearAttention).encode()
    if apply:
        snippet(apply)
    kernel = snippet("detect")["kernel"]
    room, written = kernel.room, kernel.written
    known = hashlib.sha256(source).hexdigest()[:12]
    return {"found": written > room, "room": room, "written": written, "source": known}
