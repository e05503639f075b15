"""Put distributions into a folder each: pure ones from here, compiled ones as wheels."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from shutil import copy2
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.metadata import Distribution

_COMPILED = (".so", ".pyd", ".dylib")
_GLIBC = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014", "manylinux1")
_TIMEOUT_S = 300


def place(
    distributions: Mapping[str, Distribution], folder: Path, python: str, architecture: str
) -> dict[str, str]:
    """Unpack distributions below a folder, each into one of its own.

    Args:
        distributions: By canonical name, as installed here.
        folder: Where to; what another Python can share is not written twice.
        python: Version of the Python they are for, such as ``3.12``.
        architecture: ``x86_64`` or ``aarch64``; the system is Linux with glibc.

    Returns:
        Names of the folders by canonical name.

    Raises:
        BookError: pip finds no wheel of a compiled one.
    """
    placed, compiled = {}, []
    for name, one in distributions.items():
        if any(file.suffix in _COMPILED for file in one.files or ()):
            compiled.append(f"{name}=={one.version}")
            continue
        placed[name] = f"{name}-{one.version}"
        _copy(one, folder / placed[name])
    with tempfile.TemporaryDirectory() as wheels:
        _download(compiled, Path(wheels), python, architecture)
        for wheel in Path(wheels).glob("*.whl"):
            name = canonicalize_name(wheel.name.partition("-")[0])
            placed[name] = wheel.stem
            if not (folder / wheel.stem).exists():
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(folder / wheel.stem)
    return placed


def _copy(distribution: Distribution, folder: Path) -> None:
    """Copy what was installed, without programs beside the packages and without bytecode."""
    for file in distribution.files or ():
        source = Path(str(file.locate()))
        if ".." in file.parts or file.suffix == ".pyc" or not source.is_file():
            continue
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        copy2(source, folder / file)


def _download(wanted: Iterable[str], folder: Path, python: str, architecture: str) -> None:
    names = list(wanted)
    if not names:
        return
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    command += ["--python-version", python, "--implementation", "cp"]
    command += [f"--platform={glibc}_{architecture}" for glibc in _GLIBC]
    try:
        answer = subprocess.run(
            [*command, *names], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        said = _("pip took over {seconds} s").format(seconds=_TIMEOUT_S)
    else:
        if answer.returncode == 0:
            return
        said = (answer.stderr.strip().splitlines() or [_("pip said nothing")])[-1]
    where = f"Python {python}, {architecture}"
    what = _("no wheels of {names}: {said}").format(names=", ".join(names), said=said)
    mend = _("look at the network, or name another --python")
    raise BookError([Problem(where, what, mend)])
