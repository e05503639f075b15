"""The checkpoints of a run: which folders are some, which files of them hold the weights."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.run_files.dcp_files import METADATA, dcp_tensors_in
from fixbook.run_files.safetensors_files import UnreadableError, safetensors_in
from fixbook.run_files.torch_files import torch_tensors_in
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fixbook.run_files.tensors import Tensor

_NUMBER = re.compile(
    r"(?:^|.*[-_.=])(checkpoint|ckpt|global_?step|step|iter|iteration|epoch)s?[-_=]?(\d{1,12})",
    re.ASCII | re.IGNORECASE,
)
_COUNTS_STEPS = {"global_step", "globalstep", "step", "iter", "iteration"}
_MOST_STATE = 64 * 1024
_STEP = re.compile(rb'"global_step": ?(\d{1,12})')
_NOT_WEIGHTS = re.compile(r"optim|scheduler|scaler|rng|random|sampler|training_args|dataloader")
# Which files hold the weights, the best way first: one way is enough.
_WAYS = (
    re.compile(r"(?:^|/)adapter_model[^/]*\.(?:safetensors|bin)$"),
    re.compile(r"\.safetensors$"),
    re.compile(r"(?:^|/)pytorch_model[^/]*\.(?:bin|pt)$"),
    re.compile(r"(?:^|/)\.metadata$"),
    re.compile(r"_(?:model|optim)_states\.pt$"),  # ZeRO: what is trained is in the latter
    re.compile(r"\.(?:pt|pth|bin|ckpt)$"),
)
_ADAPTER, _ZERO = 0, 4
_MASTERS = re.compile(r"fp32_flat_groups|single_partition_of_fp32_groups|^module\.")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One checkpoint.

    Attributes:
        folder: Its folder.
        number: The number in its name; orders those of a run.
        step: The step that it was written at; None if that is not known.
        files: Those that hold weights.
        way: How they do, as a place in the list above.
    """

    folder: Path
    number: int
    step: int | None
    files: tuple[Path, ...]
    way: int

    @property
    def adapter(self) -> bool:
        """Whether it holds an adapter alone, so that all of it is trained."""
        return self.way == _ADAPTER


def series_in(root: Path, files: Iterable[Path]) -> list[list[Checkpoint]]:
    """Return the checkpoints under a folder, those of one run together and in order.

    Args:
        root: The folder; without numbered folders in it, it may be a checkpoint itself.
        files: The files under it.
    """
    inside: dict[Path, list[Path]] = {}
    for path in files:
        inside.setdefault(_home(root, path), []).append(path)
    numbered = {home: found for home, found in inside.items() if home != root} or inside
    series: dict[tuple[Path, str], list[Checkpoint]] = {}
    for home, found in sorted(numbered.items()):
        one = _checkpoint(home, found)
        if one is not None:
            word = _NUMBER.fullmatch(home.name)
            prefix = home.name[: word.start(2)] if word else home.name
            series.setdefault((home.parent, prefix), []).append(one)
    return [sorted(one, key=lambda item: item.number) for _key, one in sorted(series.items())]


def _home(root: Path, path: Path) -> Path:
    """The numbered folder that a file belongs to; the outermost, as ZeRO has one inside."""
    home = root
    for part in path.relative_to(root).parts[:-1]:
        home /= part
        if _NUMBER.fullmatch(part):
            return home
    return root


def _checkpoint(home: Path, files: list[Path]) -> Checkpoint | None:
    for way, pattern in enumerate(_WAYS):
        found = [path for path in files if pattern.search(path.as_posix())]
        if way != _ZERO:
            inside = ((path, path.relative_to(home).as_posix().lower()) for path in found)
            found = [path for path, name in inside if not _NOT_WEIGHTS.search(name)]
        if found:
            word = _NUMBER.fullmatch(home.name)
            number = int(word[2]) if word else 0
            step = _step(home / "trainer_state.json")
            if step is None and word and word[1].lower() in _COUNTS_STEPS:
                step = number
            return Checkpoint(home, number, step, tuple(found), way)
    return None


def _step(state: Path) -> int | None:
    try:
        with state.open("rb") as opened:
            found = _STEP.search(opened.read(_MOST_STATE))
    except OSError:
        return None
    return int(found[1]) if found else None


def tensors_of(one: Checkpoint, notes: list[str]) -> dict[str, Tensor]:
    """Return the floating-point tensors of a checkpoint, by name.

    Args:
        one: It.
        notes: Receives a line for each file that cannot be read.
    """
    found: dict[str, Tensor] = {}
    for path in one.files:
        try:
            tensors = _reader(path)(path)
        except UnreadableError as error:
            notes.append(_("{name}: not read: {reason}").format(name=path, reason=error))
            continue
        except OSError as error:
            reason = error.strerror or str(error)
            notes.append(_("{name}: not read: {reason}").format(name=path, reason=reason))
            continue
        inside = path.parent.relative_to(one.folder).as_posix()
        if one.way >= _ZERO:  # one file a rank, in a folder that has the step in its name
            inside = path.name
        for tensor in tensors:
            if tensor.floats and _weight(one, tensor.name):
                found[tensor.name if inside == "." else f"{inside}:{tensor.name}"] = tensor
    return found


def _reader(path: Path) -> Callable[[Path], list[Tensor]]:
    if path.name == METADATA:
        return dcp_tensors_in
    return safetensors_in if path.suffix == ".safetensors" else torch_tensors_in


def _weight(one: Checkpoint, name: str) -> bool:
    if one.way == _ZERO:
        return _MASTERS.search(name) is not None
    return not any("optim" in part.lower() for part in name.split(".")[:3])
