"""A report on a machine: every probe asked, redacted, as plain data."""

from __future__ import annotations

import contextlib
import functools
import getpass
import re
import socket
from typing import TYPE_CHECKING, Any

from fixbook import __version__
from fixbook.config.tools.machine import FORMAT, MARK
from fixbook.log.redact import redact
from fixbook.machine import around, cuda, host, software
from fixbook.machine.bounded import Probe, Unknown, ask
from fixbook.machine.watched import FOLDERS, MORE_PACKAGES, MORE_VARIABLES, SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_UNCOVERED = "gpus.uncovered"
# What folders are called in texts of either language.
_CALLED = {"cwd": "$PWD", "hub": "$HF_HUB_CACHE", "tmp": "$TMPDIR", "home": "$HOME"}
# Of what there is least in one of the folders: how much, and in which.
_LEAST = {
    "free_mib": ("disks.least.free_mib", "disks.least.folder"),
    "inodes_free_percent": ("disks.fewest_inodes.free_percent", "disks.fewest_inodes.folder"),
}
_COMMON_NAMES = {"root", "user", "admin", "localhost", "ubuntu", "docker"}
_SHORTEST = 3  # of a name that is worth hiding
# How systemd names an adapter on USB: by its hardware address.
_ADAPTER = re.compile(r"(?<![\w-])(?:enx|wlx)[0-9a-f]{12}(?![\w-])")

PROBES = (
    Probe(host.SYSTEM, host.system),
    Probe(software.PYTHON, software.python),
    Probe(software.INSTALLED, software.installed, 20),
    Probe(cuda.DRIVER, cuda.driver, 10),
    Probe(cuda.MODULE, cuda.module),
    Probe(cuda.LIBRARY, cuda.library, 10),
    Probe(cuda.GPUS, cuda.gpus, 30),
    Probe(cuda.TOOLKIT, cuda.toolkit, 10),
    Probe(host.MEMORY, host.memory),
    Probe(host.CGROUP, host.cgroup),
    Probe(host.SHARED, host.shared_memory),
    Probe(host.LIMITS, host.limits),
    *(Probe(host.keys_of(name), functools.partial(host.disk, name)) for name in FOLDERS),
    Probe(around.TOOLS, around.commands, 20),
    Probe(around.NAME, around.own_name, 10),
    Probe(around.INTERFACES, around.interfaces),
    Probe(around.HUB, around.hub),
    Probe(around.LOCKS, around.locks, 10),
    Probe(around.SET, around.variables),
)
_TORCH = Probe(cuda.ARCHITECTURES, cuda.architectures, 60)


def report() -> dict[str, Any]:
    """Describe this machine, redacted.

    Returns:
        Values by section and name. None is what is not there; what could not be found out is left
        out and listed in ``unknown``, with the reason.
    """
    found = ask(PROBES)
    found |= {**_architectures(found), **_least(found)}
    order = {key: place for place, key in enumerate(keys())}
    found = dict(sorted(found.items(), key=lambda pair: order.get(pair[0], len(order))))
    known = {key: value for key, value in found.items() if not isinstance(value, Unknown)}
    hide = names_hidden()
    return {
        MARK: FORMAT,
        "fixbook": __version__,
        **_nested({key: _redacted(key, value, hide) for key, value in known.items()}),
        "unknown": {
            key: hide(redact(f"{value.kind}: {value.said}".rstrip(": ")))
            for key, value in found.items()
            if isinstance(value, Unknown)
        },
    }


def is_key(key: str) -> bool:
    """Tell whether a report can have a key."""
    section, _, name = key.partition(".")
    more = {"packages": MORE_PACKAGES, "variables": MORE_VARIABLES}.get(section)
    return key in keys() or bool(more and more.fullmatch(name))


@functools.cache
def keys() -> tuple[str, ...]:
    """Return the keys that every report has, but for those that are unknown."""
    asked = (key for probe in (*PROBES, _TORCH) for key in probe.keys)
    return (*asked, _UNCOVERED, *(key for pair in _LEAST.values() for key in pair))


def _architectures(found: Mapping[str, Any]) -> dict[str, Any]:
    """Compare wheel and GPUs where there are both: torch is imported only then."""
    capabilities, names = found["gpus.capabilities"], found["gpus.names"]
    if not isinstance(capabilities, list) or not isinstance(found["torch.cuda"], str):
        missing = next((one for one in (capabilities, names) if isinstance(one, Unknown)), None)
        return dict.fromkeys((*cuda.ARCHITECTURES, _UNCOVERED), missing)
    said = ask([_TORCH])
    listed = said["torch.architectures"]
    if isinstance(listed, list):
        return {**said, _UNCOVERED: cuda.uncovered(names, capabilities, listed)}
    return {**said, _UNCOVERED: listed}


def _least(found: Mapping[str, Any]) -> dict[str, Any]:
    least: dict[str, Any] = {}
    for name, pair in _LEAST.items():
        listed = {folder: found[f"disks.{folder}.{name}"] for folder in FOLDERS}
        known = [(n, _CALLED[folder]) for folder, n in listed.items() if isinstance(n, int | float)]
        missing = next((one for one in listed.values() if isinstance(one, Unknown)), None)
        least |= zip(pair, min(known) if known else (missing, missing), strict=True)
    return least


def names_hidden() -> Callable[[str], str]:
    """Return a function that hides the names of this machine, its user and its adapters."""
    names = {"<host>": socket.gethostname()}
    with contextlib.suppress(OSError, KeyError, ImportError):  # a number without a name
        names["<user>"] = getpass.getuser()
    known = {
        by: re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for by, name in names.items()
        if len(name) >= _SHORTEST and name not in _COMMON_NAMES
    } | {"<interface>": _ADAPTER}

    def hide(text: str) -> str:
        for by, pattern in known.items():
            text = pattern.sub(by, text)
        return text

    return hide


def _redacted(key: str, value: Any, hide: Any) -> Any:
    section, _, name = key.partition(".")
    if isinstance(value, list):
        return [_redacted("", item, hide) for item in value]
    if not isinstance(value, str):
        return value
    if section != "variables":
        return hide(redact(value)) if section not in {"packages", "builds"} else value
    if SECRET.search(name):
        return "<set>"
    return hide(redact(f"{name}={value}").partition("=")[2])


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        *parents, name = key.split(".")
        at = nested
        for parent in parents:
            at = at.setdefault(parent, {})
        at[name] = value
    return nested


def flat(nested: Mapping[str, Any], parent: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a report by dotted key."""
    for key, value in nested.items():
        if isinstance(value, dict):
            yield from flat(value, f"{parent}{key}.")
        else:
            yield f"{parent}{key}", value
