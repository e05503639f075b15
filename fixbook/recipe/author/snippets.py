"""Run the code that an article offers for copying, as it is printed there.

The runner hands a step the snippets of its entry in a file; each use is written beside the
measures, so that evidence knows which snippets have run. Standard library only, as this is
imported beside whatever versions an overlay brings.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SNIPPETS_VARIABLE = "FIXBOOK_SNIPPETS"
MEASURES_VARIABLE = "FIXBOOK_MEASURES"


def snippet(name: str, **names: Any) -> dict[str, Any]:
    """Execute a Python snippet of the entry as printed.

    Args:
        name: Its id under ``snippets`` in entry.yaml.
        **names: What the snippet finds defined, such as ``model=model``.

    Returns:
        Its namespace afterwards: the functions it defines, the names it assigns.

    Raises:
        LookupError: The entry has no such snippet.
    """
    namespace: dict[str, Any] = {"__name__": f"snippet_{name.replace('-', '_')}", **names}
    code = compile(snippet_text(name), f"<snippet {name}>", "exec", dont_inherit=True)
    exec(code, namespace)  # noqa: S102  (that it runs as printed is the point)
    return namespace


def run_snippet(
    name: str, *, cwd: Path | str | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Execute a Bash snippet of the entry as printed, and echo what it prints.

    Args:
        name: Its id under ``snippets`` in entry.yaml.
        cwd: Where it runs; by default the scratch folder of the step.
        env: Variables beside those of the step.

    Returns:
        Its exit code and output, both streams in one.

    Raises:
        LookupError: The entry has no such snippet.
    """
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", snippet_text(name)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    os.write(1, done.stdout.encode())
    return done


def snippet_text(name: str) -> str:
    """Return the text of a snippet, for a step that executes it in its own way.

    Args:
        name: Its id under ``snippets`` in entry.yaml.

    Raises:
        LookupError: The entry has no such snippet.
    """
    path = os.environ.get(SNIPPETS_VARIABLE)
    found: dict[str, str] = json.loads(Path(path).read_bytes()) if path else {}
    if name not in found:
        known = ", ".join(sorted(found)) or "none"
        raise LookupError(f"entry.yaml has no snippet {name!r}; it has {known}")
    _used(name)
    return found[name]


def _used(name: str) -> None:
    path = os.environ.get(MEASURES_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps({"snippet": name}) + "\n")
