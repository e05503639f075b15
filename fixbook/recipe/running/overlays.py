"""Other versions of a library, installed beside the main environment.

``versions=["transformers==4.46.3"]`` installs exactly that, without dependencies, into a cached
folder that is put first on the step's import path. ``with_dependencies=True`` also installs what
those versions need and the main environment does not have in a fitting version; torch always stays
the main environment's.

What an overlay cannot do: bring another torch. PyPI's builds of torch link the CUDA libraries that
are packages of their own, so that an older one installed without them imports nothing, and with
them it is gigabytes. `stand_in_cuda` lets one be imported all the same, for what needs no kernel of
CUDA; what else needs an older torch is read in its source and marked "read, not executed". Nor can
an overlay bring a package with compiled code for a torch other than the one installed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from fixbook.environment import installed_version
from fixbook.files import cache_folder
from fixbook.text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_INSTALL_TIMEOUT_S = 600
_FORMAT = "compiled"  # steps write no bytecode, so an overlay brings its own
_lock = threading.Lock()


class OverlayError(Exception):
    """The requested versions cannot be installed; the message says which and why."""


def overlay(versions: Sequence[str], *, with_dependencies: bool = False) -> Path | None:
    """Return a folder that holds exactly these versions, installing it if need be.

    Args:
        versions: Requirements of the form ``name==version``.
        with_dependencies: Install what they need too, where the main environment does not have it.

    Returns:
        The folder, or None if the main environment already has all of them.

    Raises:
        OverlayError: pip could not install one of them.
    """
    missing = missing_releases(versions)
    if not missing:
        return None
    parts = [_FORMAT, sys.version, *sorted(missing)]
    if with_dependencies:
        parts.append(f"with dependencies beside {' '.join(_kept())}")
    folder = _folder(parts)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock, FileLock(folder.with_suffix(".lock")):  # other processes may want the same one
        if not folder.is_dir():
            _install(_resolved(missing, folder.parent) if with_dependencies else missing, folder)
    return folder


def missing_releases(versions: Sequence[str]) -> list[str]:
    """Return those of some releases that the main environment does not have."""
    return [text for text in versions if not _in_main_environment(text)]


def has_overlay(versions: Sequence[str]) -> bool:
    """Tell whether the overlay for some releases, without what they need, is there already."""
    missing = missing_releases(versions)
    return not missing or _folder([_FORMAT, sys.version, *sorted(missing)]).is_dir()


def _folder(parts: Sequence[str]) -> Path:
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache_folder() / "overlays" / key


def _in_main_environment(requirement: str) -> bool:
    name, _, version = requirement.partition("==")
    return installed_version(name) == version


def _kept() -> list[str]:
    """The packages an overlay must not replace, with their versions."""
    return [f"torch=={version}"] if (version := installed_version("torch")) else []


def _resolved(versions: Sequence[str], folder: Path) -> list[str]:
    """Return the versions and whatever they need that the main environment lacks."""
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(_kept()), "utf-8")
    answer = _pip(versions, "--dry-run", "--report", "-", "--constraint", str(constraints))
    return [
        f"{one['metadata']['name']}=={one['metadata']['version']}"
        for one in json.loads(answer)["install"]
    ]


def _install(versions: Sequence[str], folder: Path) -> None:
    """Install into a temporary folder first: a half-made overlay is never used."""
    build = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    try:
        _pip(versions, "--no-deps", "--compile", "--no-build-isolation", "--target", str(build))
        build.rename(folder)
    finally:
        shutil.rmtree(build, ignore_errors=True)


def _pip(versions: Sequence[str], *options: str) -> str:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", *options, *versions]
    wanted = ", ".join(versions)
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        late = say("pip took over {most} s", most=_INSTALL_TIMEOUT_S)
        said = say("cannot install {wanted}: {reason}", wanted=wanted, reason=late)
        raise OverlayError(said) from None
    if answer.returncode != 0:
        reason = _last_error(answer.stderr)
        raise OverlayError(say("cannot install {wanted}: {reason}", wanted=wanted, reason=reason))
    return answer.stdout


def _last_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or [say("pip said nothing")])[-1]
