"""Where the tensors of a distributed checkpoint lie: ``.metadata`` and the shards beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.run_files.inert import Made
from fixbook.run_files.pickles import MOST_BYTES, NoDataError, data_of
from fixbook.run_files.safetensors_files import UnreadableError
from fixbook.run_files.tensors import Tensor
from fixbook.run_files.torch_files import torch_tensors_in
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

METADATA = ".metadata"


def dcp_tensors_in(metadata: Path) -> list[Tensor]:
    """Return the tensors of a checkpoint, each piece by its name and where it begins in the whole.

    Args:
        metadata: Its ``.metadata``.

    Raises:
        UnreadableError: It is torn or foreign, or a shard is.
        OSError: It cannot be read.
    """
    with metadata.open("rb") as opened:
        pickled = opened.read(MOST_BYTES + 1)
    try:
        said = _state(data_of(pickled))
        return list(_pieces(metadata.parent, said["state_dict_metadata"], said["storage_data"]))
    except NoDataError as error:
        raise UnreadableError(_("its pickle: {reason}").format(reason=error)) from None
    except (KeyError, TypeError, AttributeError):
        raise UnreadableError(_("it is no metadata of a checkpoint")) from None


def _state(made: Any) -> dict[str, Any]:
    state: dict[str, Any] = made.state
    return state


def _pieces(folder: Path, kinds: dict[str, Any], places: dict[Any, Any]) -> Iterator[Tensor]:
    taken: dict[Path, list[tuple[int, int]]] = {}
    for index, info in places.items():
        named, place = _state(index), _state(info)
        kind = kinds[named["fqn"]]
        if not kind.by.endswith("TensorStorageMetadata"):
            continue  # an object, as its pickle
        begin = ",".join(str(one) for one in _numbers(named.get("offset")))
        name, path = f"{named['fqn']}[{begin}]", folder / place["relative_path"]
        if path.parent != folder or place.get("transform_descriptors"):
            raise UnreadableError(_("its shards are elsewhere, or packed"))
        offset, length = place["offset"], place["length"]
        if not (isinstance(offset, int) and isinstance(length, int) and min(offset, length) >= 0):
            raise TypeError
        taken.setdefault(path, []).append((offset, length))
        for tensor in torch_tensors_in(path, offset, length):
            yield Tensor(name, tensor.kind, path, tensor.offset, tensor.size)
    for spans in taken.values():
        ends = 0
        for offset, length in sorted(spans):
            if offset < ends:
                raise UnreadableError(_("its tensors overlap"))
            ends = offset + length


def _numbers(size: Any) -> tuple[int, ...]:
    """The numbers of a ``torch.Size``."""
    if isinstance(size, Made):
        size = size.args[0] if size.args else ()
    return tuple(size or ())
