"""A program of the step's own, such as one that stands in for a compiler."""

from __future__ import annotations

from pathlib import Path


def program(name: str, text: str) -> str:
    """Write a program into a folder of the step's own.

    Args:
        name: What it is called by, such as ``ninja``.
        text: The program, from its ``#!`` on.

    Returns:
        The folder, to be put first on the PATH.
    """
    file = Path("programs", name).absolute()
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    file.chmod(0o755)
    return str(file.parent)
