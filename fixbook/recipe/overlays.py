"""Other versions of a library, installed beside the main environment.

``versions=["transformers==4.46.3"]`` installs exactly that, without dependencies, into a cached
folder that is put first on the step's import path.
"""

from __future__ import annotations

import hashlib
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

if TYPE_CHECKING:
    from collections.abc import Sequence

_INSTALL_TIMEOUT_S = 600
_FORMAT = "compiled"  # steps write no bytecode, so an overlay brings its own
_lock = threading.Lock()


class OverlayError(Exception):
    """The requested versions cannot be installed; the message says which and why."""


def overlay(versions: Sequence[str]) -> Path | None:
    """Return a folder that holds exactly these versions, installing it if need be.

    Args:
        versions: Requirements of the form ``name==version``.

    Returns:
        The folder, or None if the main environment already has all of them.

    Raises:
        OverlayError: pip could not install one of them.
    """
    missing = [text for text in versions if not _in_main_environment(text)]
    if not missing:
        return None
    key = hashlib.sha256("\n".join([_FORMAT, sys.version, *sorted(missing)]).encode()).hexdigest()[
        :16
    ]
    folder = cache_folder() / "overlays" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock, FileLock(folder.with_suffix(".lock")):  # other processes may want the same one
        if not folder.is_dir():
            _install(missing, folder)
    return folder


def _in_main_environment(requirement: str) -> bool:
    name, _, version = requirement.partition("==")
    return installed_version(name) == version


def _install(versions: Sequence[str], folder: Path) -> None:
    """Install into a temporary folder first: a half-made overlay is never used."""
    build = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--compile"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--no-input"]
    command += ["--target", str(build), *versions]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S, check=False
        )
        if answer.returncode != 0:
            raise OverlayError(
                f"cannot install {', '.join(versions)}: {_last_error(answer.stderr)}"
            )
        build.rename(folder)
    except subprocess.TimeoutExpired:
        message = f"cannot install {', '.join(versions)}: pip took over {_INSTALL_TIMEOUT_S} s"
        raise OverlayError(message) from None
    finally:
        shutil.rmtree(build, ignore_errors=True)


def _last_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["pip said nothing"])[-1]
