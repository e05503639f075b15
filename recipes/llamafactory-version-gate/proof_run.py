"""Train with one set of releases or another, and say which were in force."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import failure

from fixbook.recipe import measure, run_snippet, snippet_text
from fixbook.recipe.helpers import program

COMMAND = (
    f"#!{sys.executable}\nimport proof_torchaudio\nfrom llamafactory.cli import main\nmain()\n"
)


def releases() -> None:
    """Measure what is installed, and what the variable holds."""
    measure(
        transformers=version("transformers"),
        datasets=version("datasets"),
        accelerate=version("accelerate"),
        peft=version("peft"),
        check=os.environ.get("DISABLE_VERSION_CHECK", ""),
    )


def run(*, printed: bool = False, **changes: Any) -> dict[str, float]:
    """Train in this process, or by the command of the page as it is printed."""
    import proof_torchaudio  # noqa: F401  not yet there in a step that starts on its own

    releases()
    failure.write(**changes)
    if printed:
        folder = program("llamafactory-cli", COMMAND)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        run_snippet("bypass", env={"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)})
    else:
        failure.train()
    return {"loss": failure.loss()}


def option() -> dict[str, Any]:
    """Return the line for train.yaml that the page prints."""
    import yaml

    return dict(yaml.safe_load(snippet_text("no-checkpointing")))


def unquoted() -> dict[str, Any]:
    """Run the command of the message in a shell, as the message has it."""
    try:
        run()
    except ImportError as error:
        command = re.findall("`(pip [^`]+)`", str(error))[0]
    measure(command=command)
    folder = program("pip", "#!/bin/sh\ntouch pip-has-run\n")
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], env=os.environ | {"PATH": path}, check=False)
    files = [file.name for file in Path().iterdir() if file.name.startswith("=")]
    measure(pip_ran=Path("pip-has-run").exists(), files=files)
    done.check_returncode()
    return {}
