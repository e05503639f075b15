"""Put this process into a state, have ``fixbook env`` look at it, do what fails in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from fixbook.recipe.author.skip import Skipped


def main(setup: str, look: dict[str, str], report: str, tool: str) -> dict[str, object]:
    """Return the rules that report the state, and what the tool has said."""
    exec(setup, {})  # noqa: S102  (our own code, of machines.py)
    command = [sys.executable, "-c", report]
    seen = subprocess.run(
        command, env={**os.environ, **look}, capture_output=True, text=True, check=False
    )
    found = json.loads(seen.stdout)
    tried = subprocess.run(
        [sys.executable, "-c", tool],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return {"rules": [item["rule"] for item in found["findings"]], "said": tried.stdout}


if __name__ == "__main__":
    try:
        answer = main(*json.load(sys.stdin))
    except Skipped as reason:
        answer = {"skip": str(reason)}
    sys.stdout.write(json.dumps(answer))
