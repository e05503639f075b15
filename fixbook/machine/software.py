"""What is installed: the interpreter, distributions with their builds, and what they ask for."""

from __future__ import annotations

import contextlib
import importlib.metadata
import platform
import re
import sys
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion

from fixbook.machine.bounded import Unknown
from fixbook.machine.watched import MORE_PACKAGES, PACKAGES

# Their version.py names the build even where the wheel's own version does not.
_WITH_VERSION_FILE = ("torch", "torchvision", "torchaudio")
_BUILT = (*_WITH_VERSION_FILE, "flash-attn", "vllm", "xformers")
_SET = re.compile(
    r"^(__version__|cuda|hip)\b[^=\n]*= *(?:'([^'\n]*)'|\"([^\"\n]*)\"|None)", re.MULTILINE
)
_MOST_BYTES = 65536
_MOST_UNMET = 20  # of one distribution

PYTHON = ("python.version", "python.virtual", "python.implementation")
INSTALLED = (
    *(f"packages.{name}" for name in PACKAGES),
    *(f"builds.{name}" for name in _BUILT),
    *("torch.cuda", "torch.cuda_major", "torch.hip", "requirements.unmet"),
)


def python() -> dict[str, Any]:
    """Describe the interpreter that fixbook runs in."""
    conda = Path(sys.prefix, "conda-meta").is_dir()
    virtual = "venv" if sys.prefix != sys.base_prefix else "conda" if conda else None
    return {
        "python.version": platform.python_version(),
        "python.implementation": platform.python_implementation(),
        "python.virtual": virtual,
    }


def installed() -> dict[str, Any]:
    """Read the metadata of distributions; none of them is imported."""
    listed = _distributions()
    versions = {name: one.version for name, one in listed.items()}
    files = {
        name: _version_file(listed[name], name) for name in _WITH_VERSION_FILE if name in listed
    }
    torch: dict[str, Any] = files.get("torch", {})
    if "torch" in listed and "cuda" not in torch:
        torch = dict.fromkeys(("cuda", "hip"), Unknown("failed", "torch/version.py"))
    return {
        **{f"packages.{name}": versions.get(name) for name in PACKAGES},
        **{f"packages.{name}": version for name, version in versions.items()},
        **{
            f"builds.{name}": _local(files.get(name, {}).get("__version__"))
            or _local(versions.get(name))
            for name in _BUILT
        },
        "torch.cuda": torch.get("cuda"),
        "torch.cuda_major": major(torch.get("cuda")),
        "torch.hip": torch.get("hip"),
        "requirements.unmet": _unmet(listed),
    }


def major(version: str | Unknown | None) -> int | Unknown | None:
    """Return the first number of a version; of what is not known it is not known either."""
    if isinstance(version, Unknown):
        return version
    found = re.match(r"\d{1,6}", version or "")
    return int(found[0]) if found else None


def _distributions() -> dict[str, importlib.metadata.Distribution]:
    """The watched distributions; of one that is there twice, the first on the path."""
    found: dict[str, importlib.metadata.Distribution] = {}
    for one in importlib.metadata.distributions():
        with contextlib.suppress(Exception):  # metadata that a broken installation has left
            name = canonicalize_name(one.metadata["Name"])
            if (name in PACKAGES or MORE_PACKAGES.fullmatch(name)) and one.version:
                found.setdefault(name, one)
    return dict(sorted(found.items()))


def _version_file(one: importlib.metadata.Distribution, name: str) -> dict[str, str | None]:
    """Read a version.py as text."""
    path = Path(str(one.locate_file(f"{name}/version.py")))
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return {}
    return {key: single or double or None for key, single, double in _SET.findall(text)}


def _local(version: str | None) -> str | None:
    return (version or "").partition("+")[2] or None


def _unmet(listed: dict[str, importlib.metadata.Distribution]) -> list[str]:
    """What watched distributions declare to need, and what is installed instead."""
    unmet = []
    for name, one in listed.items():
        said = [said for text in one.requires or () if (said := _lacking(text))]
        unmet += [f"{name} {one.version}: {text}" for text in said[:_MOST_UNMET]]
    return unmet


def _lacking(text: str) -> str | None:
    """Say what is installed where a requirement asks for something else."""
    with contextlib.suppress(InvalidRequirement, InvalidVersion, ValueError):
        needed = Requirement(text)
        if needed.marker and not needed.marker.evaluate({"extra": ""}):
            return None
        name = canonicalize_name(needed.name)
        there = _version_of(name)
        if there is None or not needed.specifier.contains(there, prereleases=True):
            return f"{name}{needed.specifier} ({there or 'not installed'})"
    return None


def _version_of(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except (importlib.metadata.PackageNotFoundError, KeyError):
        return None
