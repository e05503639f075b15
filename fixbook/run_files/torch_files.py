"""Where the tensors lie that ``torch.save`` wrote; torch is not needed, nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.run_files.inert import Made, Named
from fixbook.run_files.numbers import WIDTHS
from fixbook.run_files.pickles import MOST_BYTES, NoDataError, data_of
from fixbook.run_files.safetensors_files import UnreadableError
from fixbook.run_files.tensors import Tensor
from fixbook.run_files.zip_regions import regions_in
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_TENSORS = 500_000
_MOST_DEPTH = 24
_NAMES = {
    "F64": "double float64",
    "F32": "float float32",
    "F16": "half float16",
    "BF16": "bfloat16",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3": "float8_e4m3fn",
    "I64": "long int64",
    "I32": "int int32",
    "I16": "short int16",
    "I8": "char int8",
    "U8": "byte uint8",
    "BOOL": "bool",
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_WIDTHS = WIDTHS | {"I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
_REBUILD = "torch._utils._rebuild_tensor"


def torch_tensors_in(path: Path, offset: int = 0, size: int | None = None) -> list[Tensor]:
    """Return the tensors of a file, each by its way through the dictionaries that hold it.

    Args:
        path: The file.
        offset: Where what was saved begins in it.
        size: Its length; None for all of the file.

    Raises:
        UnreadableError: It is torn, foreign, or of torch before 1.6.
        OSError: It cannot be read.
    """
    whole = path.stat().st_size - offset if size is None else size
    if offset + whole > path.stat().st_size:
        raise UnreadableError(_("it breaks off"))
    regions = regions_in(path, offset, whole)
    name = next((one for one in regions if one.rpartition("/")[2] == "data.pkl"), None)
    if name is None:
        raise UnreadableError(_("torch did not write it"))
    begin, length = regions[name]
    if length > MOST_BYTES:
        raise UnreadableError(
            _("its pickle is larger than {size} MiB").format(size=MOST_BYTES >> 20)
        )
    with path.open("rb") as opened:
        opened.seek(begin)
        pickled = opened.read(length)
    try:
        saved = data_of(pickled)
    except NoDataError as error:
        raise UnreadableError(_("its pickle: {reason}").format(reason=error)) from None
    reader = _Reader(path, regions, name.removesuffix("data.pkl"))
    found = list(reader.tensors(saved, "", 0))
    if sum(tensor.size for tensor in set(found)) > 2 * whole:
        raise UnreadableError(_("its tensors overlap"))
    return found


class _Reader:
    def __init__(self, path: Path, regions: dict[str, tuple[int, int]], prefix: str) -> None:
        self._path = path
        self._regions = regions
        self._prefix = prefix
        self._count = 0
        self._steps = 0

    def tensors(self, value: Any, name: str, depth: int) -> Iterator[Tensor]:
        self._steps += 1
        if depth > _MOST_DEPTH or self._steps > 4 * MOST_TENSORS or self._count > MOST_TENSORS:
            raise UnreadableError(_("its tensors are too many, or too deep inside"))
        if isinstance(value, dict):
            for key, one in value.items():
                yield from self.tensors(one, _under(name, key), depth + 1)
        elif isinstance(value, list | tuple):
            for number, one in enumerate(value):
                yield from self.tensors(one, _under(name, number), depth + 1)
        elif isinstance(value, Made) and value.by.startswith(_REBUILD):
            self._count += 1
            yield self._tensor(value, name)
        elif isinstance(value, Made) and value.by != "persistent":
            for one in (*value.args, *(pair[1] for pair in value.items), value.state):
                if isinstance(one, dict | list | tuple | Made):
                    yield from self.tensors(one, name, depth + 1)

    def _tensor(self, made: Made, name: str) -> Tensor:
        try:
            storage, offset, shape, strides = made.args[:4]
            _tag, kind, key, *_rest = storage.args
            types = [kind, *made.args[4:]]
            names = [one.name.rpartition(".")[2] for one in types if isinstance(one, Named)]
            plain = [one.removesuffix("Storage").lower() for one in names]
            found = next((_KINDS[one] for one in plain if one in _KINDS), "U8")
            begin, size = self._regions[f"{self._prefix}data/{key}"]
            width = _WIDTHS[found]
            steps = sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
            length = width * (1 + steps) if all(shape) else 0
            at = width * offset
        except (KeyError, TypeError, ValueError, AttributeError):
            raise UnreadableError(_("{name} is no tensor").format(name=repr(name)[:80])) from None
        if min(at, length) < 0 or at + length > size:
            raise UnreadableError(_("{name} is larger than its data").format(name=repr(name)[:80]))
        return Tensor(name, found, self._path, begin + at, length)


def _under(name: str, key: object) -> str:
    return f"{name}.{key}"[:400] if name else str(key)[:400]
