"""A report on a machine for a terminal: a line for each thing that matters."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

from fixbook.cli.wrapping import wrap
from fixbook.config.setting import shown
from fixbook.text import N_, _, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Values = Mapping[str, Any]

WIDTH = 100
_LONGEST = 300
_GIB = 1024


def lines_of(values: Values) -> Iterator[str]:
    """Yield a report line by line.

    Args:
        values: The values of a report by dotted key; of one that was sent they can be anything.
    """
    values = {key: value for key, value in values.items() if not isinstance(value, dict)}
    labels = {name: _(name) for name in _LINES}
    width = max(map(_cells, labels.values())) + 2
    for name, tell in _LINES.items():
        said = [one for one in tell(values) if one]
        if said:
            label = labels[name] + " " * (width - _cells(labels[name]))
            yield wrap(printable(_("; ").join(said)), WIDTH, label, " " * width)


def told(values: Values, name: str) -> str:
    """Return one line of a report without its label; empty if there is nothing to say.

    Args:
        values: The values of a report by dotted key.
        name: The label, in English.
    """
    return printable(_("; ").join(filter(None, _LINES[name](values))))


def _cells(text: str) -> int:
    return sum(2 if char > "\u2e7f" else 1 for char in text)


def _text(values: Values, key: str) -> str:
    """A value as text; nothing for what is not there."""
    value = values.get(key)
    return "" if value is None or value in ("", []) else shown(value)[:_LONGEST]


def _absent(values: Values, key: str) -> bool:
    """Tell whether a report says that a thing is not there; one that it lacks is not known."""
    return key in values and not _text(values, key)


def _size(values: Values, key: str) -> str:
    """A size in MiB, as a person reads it."""
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        return "?"
    return f"{value} MiB" if value < 10 * _GIB else f"{value // _GIB} GiB"


def _named(values: Values, key: str, words: str) -> str:
    """Words with a value in them, where there is one."""
    said = _text(values, key)
    return words.format(said) if said else ""


def _listed(items: Iterable[str]) -> str:
    return _(", ").join(filter(None, items))


def _below(values: Values, section: str) -> Iterator[tuple[str, str]]:
    """The names and values of a section that are there."""
    for key in values:
        parent, _dot, name = key.partition(".")
        if parent == section and (value := _text(values, key)):
            yield name, value


def _system(values: Values) -> Iterator[str]:
    yield _text(values, "system.distribution") or _text(values, "system.os")
    yield _named(values, "system.kernel", _("kernel {}"))
    yield _named(values, "system.glibc", "glibc {}")
    yield _text(values, "system.architecture")
    yield _named(values, "system.cores", _("{} processors"))
    yield _named(values, "system.container", _("container: {}"))
    yield "WSL" if values.get("system.wsl") is True else ""


def _python(values: Values) -> Iterator[str]:
    yield _listed([_text(values, "python.version"), _text(values, "python.virtual")])


def _packages(values: Values) -> Iterator[str]:
    builds = dict(_below(values, "builds"))
    yield _listed(
        f"{name} {version}"
        + (f" ({builds[name]})" if name in builds and builds[name] not in version else "")
        for name, version in _below(values, "packages")
    )


def _cuda(values: Values) -> Iterator[str]:
    build = _named(values, "torch.cuda", "CUDA {}") or _named(values, "torch.hip", "ROCm {}")
    if _text(values, "packages.torch") and not build and _absent(values, "torch.cuda"):
        build = _("the CPU alone")
    yield _("torch is built for {}").format(build) if build else ""
    driver = _text(values, "cuda.driver") or _text(values, "cuda.kernel_module")
    yield _("driver {}").format(driver) if driver else ""
    yield _named(values, "cuda.driver_api", _("the driver runs CUDA up to {}"))
    if not driver and _absent(values, "cuda.driver_api"):
        yield _("no NVIDIA driver")
    if home := _text(values, "cuda.home"):
        nvcc = _text(values, "cuda.nvcc") or _("none")
        yield _("toolkit {home} (nvcc: {nvcc})").format(home=home, nvcc=nvcc)
    yield _("no toolkit") if _absent(values, "cuda.home") else ""


def _gpus(values: Values) -> Iterator[str]:
    names, capabilities = values.get("gpus.names"), values.get("gpus.capabilities")
    if not isinstance(names, list) or not names:
        yield _("none seen") if _absent(values, "gpus.names") else ""
        return
    listed = capabilities if isinstance(capabilities, list) else []
    alike = Counter(
        f"{name}"[:80] + (f" ({one})"[:20] if one else "")
        for name, one in itertools.zip_longest(names[:64], listed[: len(names)])
    )
    yield _listed(f"{count} × {name}" if count > 1 else name for name, count in alike.items())
    yield _named(values, "torch.architectures", _("torch has code for {}"))
    yield _named(values, "variables.CUDA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES={}")


def _commands(values: Values) -> Iterator[str]:
    yield _listed(
        f"{name} {version}" for name, version in _below(values, "commands") if name != "c_compiler"
    )


def _memory(values: Values) -> Iterator[str]:
    if not {"memory.total_mib", "memory.available_mib"} - values.keys():
        total, free = _size(values, "memory.total_mib"), _size(values, "memory.available_mib")
        yield _("{total}, {free} available").format(total=total, free=free)
    if values.get("memory.limit_mib") is not None:
        yield _("limit of the container {}").format(_size(values, "memory.limit_mib"))
    if values.get("memory.oom_kills"):
        yield _named(values, "memory.oom_kills", _("killed for memory: {}"))
    if "memory.swap_mib" in values:
        yield _("swap {}").format(_size(values, "memory.swap_mib"))
    if values.get("shm.total_mib") is not None:
        free, total = _size(values, "shm.free_mib"), _size(values, "shm.total_mib")
        yield _("shared memory {total}, {free} free").format(total=total, free=free)


def _limits(values: Values) -> Iterator[str]:
    hard = _text(values, "limits.nofile_hard") or _("unlimited")
    soft = _text(values, "limits.nofile") or _("unlimited")
    if "limits.nofile" in values:
        yield _("open files {soft} (hard limit {hard})").format(soft=soft, hard=hard)
    yield _named(values, "limits.as", _("address space {} MiB"))
    yield _named(values, "limits.memlock", _("locked memory {} KiB"))


def _disks(values: Values) -> Iterator[str]:
    folders = {
        "cwd": _("working folder"),
        "hub": _("cache of the Hub"),
        "tmp": _("temporary files"),
        "home": _("home folder"),
    }
    there = {
        folder: f"disks.{folder}"
        for folder in folders
        if values.get(f"disks.{folder}.free_mib") is not None
    }
    alike: dict[str, list[str]] = {}
    for folder, key in there.items():
        free, total = _size(values, f"{key}.free_mib"), _size(values, f"{key}.total_mib")
        said = _("{free} of {total} free").format(free=free, total=total)
        alike.setdefault(said, []).append(folders[folder])
    for said, names in alike.items():
        yield _("{folders}: {said}").format(folders=_listed(names), said=said)
    yield _named(values, "disks.fewest_inodes.free_percent", _("{} % of the inodes free"))


def _network(values: Values) -> Iterator[str]:
    own = {"loopback": _("the own name is a loopback address"), "address": ""}
    if "network.own_name" in values:
        yield own.get(_text(values, "network.own_name"), _("the own name does not resolve"))
    listed = values.get("network.interfaces")
    for item in listed[:16] if isinstance(listed, list) else ():
        name, _colon, kind = str(item)[:80].partition(": ")
        if kind not in {"loopback", "virtual, down"}:
            yield f"{name} ({kind})"
    yield _named(values, "network.infiniband", "InfiniBand: {}")


def _hub(values: Values) -> Iterator[str]:
    yield _named(values, "hub.cached_models", _("{} models in the cache"))
    yield _("offline") if values.get("hub.offline") is True else ""
    if "hub.token" in values:
        yield _("with a token") if values["hub.token"] is True else _("no token")


def _variables(values: Values) -> Iterator[str]:
    for name, value in _below(values, "variables"):
        yield f"{name}={value}"


def _unknown(values: Values) -> Iterator[str]:
    for name, said in _below(values, "unknown"):
        yield f"{name} ({_reason(said)})"


def _reason(text: str) -> str:
    """Say why something is not known, of its kind and what the system said behind a colon."""
    kind, _colon, said = text.partition(":")
    if kind == "timeout":
        return _("no answer within {seconds} s").format(seconds=said.strip())
    if kind == "denied":
        return _("not permitted")
    if kind == "crashed":
        return _("the process that asked has crashed")
    return said.strip() or _("failed")


_LINES: dict[str, Callable[[Values], Iterator[str]]] = {
    N_("System"): _system,
    N_("Python"): _python,
    N_("GPUs"): _gpus,
    N_("CUDA"): _cuda,
    N_("Packages"): _packages,
    N_("Compilers"): _commands,
    N_("Memory"): _memory,
    N_("Limits"): _limits,
    N_("Disks"): _disks,
    N_("Network"): _network,
    N_("Hub"): _hub,
    N_("Variables"): _variables,
    N_("Not known"): _unknown,
}
