"""A state that a process is put into, and what stands in a folder for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORT = "import sys; from fixbook.cli import main; sys.argv = ['fixbook', 'env', '--json']; main()"


@dataclass
class State:
    """A state of a process, and what is done in it.

    Attributes:
        tool: What fails in it, as a program.
        env: Variables of the process.
        look: Variables for the report alone.
        setup: What the process does to itself first.
        report: The program that makes the report.
    """

    tool: str
    env: dict[str, str] = field(default_factory=dict)
    look: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    report: str = REPORT


def script(folder: Path, name: str, said: str) -> Path:
    """Write a program that prints a text, and return where it is."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n", "utf-8")
    path.chmod(0o755)
    return path


def metadata(folder: Path, name: str, version: str, *needs: str) -> None:
    """Write what says that a package is installed."""
    place = folder / f"{name}-{version}.dist-info"
    place.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in needs]
    (place / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")
