"""Values for tensors on a GPU that stands in: what its kernels leave out, the CPU computes.

Each operator on such tensors runs twice. First as torch has it for CUDA: that checks devices,
dtypes and shapes, allocates what it returns, and launches kernels that do nothing. Then for the
CPU, over the same memory, which is the host's: its values are written into what the first returned.

What this cannot show: how a kernel rounds, in which order it adds, how long it takes, what it does
with an index that is out of range (see `_refused`), and any operator that the CPU does not have.
"""

from __future__ import annotations

import ctypes
import re
import sys
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from fixbook.recipe.helpers.gpu.arrivals import Arrivals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Operator = Any
    Note = Callable[[str], None]

ASSERTED = 710  # cudaErrorAssert: an assertion in a kernel; every later call answers it
_SEED = 2**63
# Their CUDA form asks the kernels for a size or a library for an answer while it runs.
_CPU_ALONE = re.compile(
    r"aten::_?(linalg_|fft_|cholesky|geqrf|ormqr|orgqr|lu_|svd|triangular_solve|convolution|cudnn_|"
    r"nonzero|unique|masked_select|bincount|histc|repeat_interleave|ctc_loss|thnn_fused)|"
    r"bitsandbytes::int8_(vectorwise_quant|mixed_scaled_mm)"
)
_EMPTY = re.compile(r"aten::(?:new_)?empty(?:_|$)")
_OUT_OF_RANGE = re.compile(r"out of (?:range|bounds)|less than zero|index \S+ is|non-negative")


class Values(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Computes on the CPU what tensors on a GPU would hold.

    Args:
        note: Told of each operator whose values are missing, as the CPU does not have it.
    """

    def __init__(self, note: Note) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._note = note
        self._missing: set[str] = set()
        self._arrivals = Arrivals()

    @classmethod
    def is_infra_mode(cls) -> bool:
        """Tell torch.compile that this is no mode of the user's."""
        return True

    def __torch_dispatch__(
        self, func: Operator, types: Iterable[type], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Run an operator."""
        kwargs = kwargs or {}
        if _faked():
            return func(*args, **kwargs)
        flat = list(_leaves((args, kwargs)))
        tensors = [one for one in flat if isinstance(one, torch.Tensor)]
        if any(type(one).__torch_dispatch__ is not _PLAIN for one in tensors):
            return NotImplemented
        self._arrivals.check(tensors)
        if (
            not _on_gpu(flat)
            or _is_view(func)
            or (_meta(tensors) and not _on_gpu([*kwargs.values()]))
        ):
            return func(*args, **kwargs)
        made = self._both(func, args, kwargs)
        self._arrivals.note(func, kwargs, args, made)
        return made

    def _both(self, func: Operator, args: Any, kwargs: Any) -> Any:
        seed = _seed_of(func, args, kwargs)
        alone = _asks_kernels(func, args, kwargs)
        if alone:
            device, real = _one_device(args, kwargs), None
        else:
            real = func(*args, **kwargs)
            if _has_no_values(func) or (real is None and not _writes(func)):
                return real
        try:
            values = _on_cpu(func, args, kwargs, seed)
        except Exception as error:  # noqa: BLE001  (whatever a kernel of the CPU says)
            if _refused(error):
                return real if real is not None else func(*args, **kwargs)
            self._without(func)
            return func(*args, **kwargs) if alone else real
        if alone and _writes(func):
            return kwargs.get("out", args[0] if args else None)
        if alone:
            return _mapped(lambda one: _moved(one, device), values)
        return _filled(real, values, (args, kwargs))

    def _without(self, func: Operator) -> None:
        name = str(func)
        if name not in self._missing:
            self._missing.add(name)
            self._note(name)


_MASKS = {torch.bool, torch.uint8}
_PLAIN = torch.Tensor.__torch_dispatch__  # of a class that does nothing of its own here
_AS_IT_IS = ("aten::set_", "c10d::", "_c10d_functional::")  # gloo carries what tensors hold


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, dict):
        yield from _leaves(list(value.values()))
    else:
        yield value


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)([_mapped(change, one) for one in value])
    if isinstance(value, dict):
        return {name: _mapped(change, one) for name, one in value.items()}
    return change(value)


def _default(one: Any) -> Any:
    return torch.default_generator if isinstance(one, torch.Generator) else one


def _on_gpu(flat: Iterable[Any]) -> bool:
    for one in flat:
        if isinstance(one, torch.Tensor) and one.is_cuda:
            return True
        if isinstance(one, torch.device) and one.type == "cuda":
            return True
    return False


def _meta(tensors: Iterable[torch.Tensor]) -> bool:
    """Tell whether there are no values; a tensor like it on a GPU may have some for all that."""
    return any(one.is_meta for one in tensors)


def _faked() -> bool:
    """Tell whether torch makes tensors without values for now; its mode for that comes after."""
    key = torch._C._TorchDispatchModeKey.FAKE  # noqa: SLF001
    return torch._C._get_dispatch_mode(key) is not None  # noqa: SLF001


def _is_view(func: Operator) -> bool:
    """Tell whether an operator only looks at memory in another way, or moves no value."""
    schema = func._schema  # noqa: SLF001
    if schema.name in {"aten::record_stream", "aten::is_pinned", "aten::_pin_memory"}:
        return True
    if schema.name.startswith(_AS_IT_IS):
        return True
    returned = [one.alias_info for one in schema.returns]
    return bool(returned) and all(alias and not alias.is_write for alias in returned)


def _asks_kernels(func: Operator, args: Any, kwargs: Any) -> bool:
    """Tell whether its CUDA form waits for a kernel's answer, such as how many are true."""
    name = func._schema.name  # noqa: SLF001
    if name.startswith(("aten::index", "aten::_index", "aten::_unsafe_index")):
        flat = list(_leaves((args, kwargs)))
        return any(isinstance(one, torch.Tensor) and one.dtype in _MASKS for one in flat[1:])
    if name == "aten::bmm" and args[0].dim():  # of columns and rows: Triton compiles a kernel
        return bool(args[0].size(-1) == 1)
    return bool(_CPU_ALONE.match(name))


def _has_no_values(func: Operator) -> bool:
    """Tell whether it only takes memory: filled, every page of it would be one of the host's."""
    filled = torch.are_deterministic_algorithms_enabled()  # with values that show what reads them
    return bool(_EMPTY.match(func._schema.name)) and not filled  # noqa: SLF001


def _writes(func: Operator) -> bool:
    return bool(func._schema.is_mutable)  # noqa: SLF001


def _one_device(args: Any, kwargs: Any) -> torch.device:
    """Return the device of some tensors, refusing others as torch does."""
    flat = [one for one in _leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    device = next((one.device for one in flat if one.is_cuda), torch.device("cuda"))
    for one in flat:
        if one.device != device and one.dim():
            said = "Expected all tensors to be on the same device, but found at least two devices, "
            raise RuntimeError(f"{said}{device} and {one.device}!")
    return device


def alias(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor of the CPU over the memory of one that is on a GPU which stands in."""
    storage = tensor.untyped_storage()
    device = torch.device("cpu")
    memory = torch._C._construct_storage_from_data_pointer(  # noqa: SLF001
        storage.data_ptr(), device, storage.nbytes()
    )
    empty = torch.ops.aten.empty.memory_format  # DeepSpeed puts another into torch.empty's place
    seen: torch.Tensor = empty((0,), dtype=tensor.dtype, device=device)
    seen.set_(memory, tensor.storage_offset(), tensor.size(), tensor.stride())
    return seen


def _seen(one: Any) -> Any:
    if isinstance(one, torch.Tensor) and one.is_cuda:
        return alias(one)
    if isinstance(one, torch.device) and one.type == "cuda":
        return torch.device("cpu")
    return one


def _seed_of(func: Operator, args: Any, kwargs: Any) -> int | None:
    """Return a seed for an operator that draws, made of where the GPU's generator stands."""
    if torch.Tag.nondeterministic_seeded not in func.tags:
        return None
    flat = list(_leaves((args, kwargs)))
    given = [one for one in flat if isinstance(one, torch.Generator)]
    if given:
        generator = given[0]
    else:
        devices = (one.device if isinstance(one, torch.Tensor) else one for one in flat)
        device = next(
            (one for one in devices if isinstance(one, torch.device) and one.type == "cuda"), None
        )
        index = device.index if device and device.index is not None else None
        torch.cuda.init()  # type: ignore[no-untyped-call]
        index = torch.cuda.current_device() if index is None else index
        if index >= len(torch.cuda.default_generators):
            return None  # torch refuses it
        generator = torch.cuda.default_generators[index]
    if generator.device.type != "cuda":
        return None
    return (generator.initial_seed() * 1_000_003 + generator.get_offset()) % _SEED


def _on_cpu(func: Operator, args: Any, kwargs: Any, seed: int | None) -> Any:
    args, kwargs = _mapped(_seen, (args, kwargs))
    if seed is None:
        return func(*args, **kwargs)
    before = torch.get_rng_state()
    try:
        torch.default_generator.manual_seed(seed)
        args, kwargs = _mapped(_default, (args, kwargs))
        return func(*args, **kwargs)
    finally:
        torch.set_rng_state(before)


def _moved(one: Any, device: torch.device) -> Any:
    if not isinstance(one, torch.Tensor) or one.is_cuda:
        return one
    there = torch.empty_strided(one.size(), one.stride(), dtype=one.dtype, device=device)
    alias(there).copy_(one)
    return there


def _filled(real: Any, values: Any, given: Any) -> Any:
    """Write the values into what the real operator has returned."""
    known = {id(one) for one in _leaves(given)}

    def filled(mine: Any, value: Any) -> Any:
        if isinstance(mine, (list, tuple)):
            return type(mine)(map(filled, mine, value))
        return mine if id(mine) in known else _with_values(mine, value)

    return filled(real, values)


def _with_values(mine: Any, value: Any) -> Any:
    if not isinstance(mine, torch.Tensor):
        return value
    if mine.size() != value.size():
        return _moved(value, mine.device)
    (alias(mine) if mine.is_cuda else mine).copy_(value)
    return mine


def _refused(error: Exception) -> bool:
    """Let a kernel's assertion fail where the CPU raises for an index: at a later call."""
    if not isinstance(error, (IndexError, RuntimeError)) or not _OUT_OF_RANGE.search(str(error)):
        return False
    ctypes.CDLL(None).stand_in_fail(ASSERTED)
    sys.stderr.write("stand-in: a kernel's assertion fails here; its text needs a card\n")
    return True


def compute(note: Note) -> None:
    """Let this process compute such values from now on, in the threads that it starts, too.

    Args:
        note: Told of each operator whose values are missing.
    """
    mode = Values(note)
    mode.__enter__()  # type: ignore[no-untyped-call]
    torch.backends.cudnn.enabled = False  # cuDNN plans with kernels that are not there
    for fused in ("flash", "mem_efficient", "cudnn"):  # attention that the CPU does not have
        getattr(torch.backends.cuda, f"enable_{fused}_sdp")(False)  # noqa: FBT003
    modes = torch.utils._python_dispatch  # noqa: SLF001
    without_modes = modes._disable_current_modes  # noqa: SLF001
    begin = vars(Thread)["_bootstrap_inner"]

    @contextmanager
    def without_others() -> Iterator[Any]:
        """Printing a tensor, for one, leaves modes aside; its values are wanted all the same."""
        with without_modes() as others:
            if mode not in others:
                yield others
                return
            with mode:
                yield others

    def begin_with_values(thread: Thread) -> None:
        with mode:
            begin(thread)

    modes._disable_current_modes = without_others  # noqa: SLF001
    setattr(Thread, "_bootstrap_inner", begin_with_values)  # noqa: B010  (unknown to the stubs)
