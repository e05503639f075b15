"""A pickle read as data: no name in it is imported, nothing in it is called.

`pickle` itself runs what a file asks for, and reserves the memory that it claims to need. This
reads the few operations that dumps and checkpoints are made of. A class or a function is its
name, a call of one is that name with the arguments; what is asked for beyond that is refused.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from fixbook.run_files.inert import Made, Named

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 64 * 1024 * 1024
MOST_OPERATIONS = 8_000_000
_KEYS = (str, int, float, bytes, bool, type(None))
_PROTOCOLS = range(2, 6)
_MARK = object()


class NoDataError(Exception):
    """The pickle is torn, too large, or asks for what data does not need."""


def data_of(pickled: bytes) -> Any:
    """Read a pickle.

    Args:
        pickled: All of it.

    Raises:
        NoDataError: It cannot be read as data.
    """
    if len(pickled) > MOST_BYTES:
        raise NoDataError("larger than it may be")
    try:
        return _Machine(pickled).run()
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, struct.error) as error:
        raise NoDataError(f"not what a pickle is: {error}"[:160]) from None


class _Machine:
    def __init__(self, pickled: bytes) -> None:
        self._data = pickled
        self._at = 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def run(self) -> Any:
        if self._data[:1] != b"\x80" or self._data[1] not in _PROTOCOLS:
            raise NoDataError("no pickle of a protocol from 2 on")
        stop = ord(".")
        for _ in range(MOST_OPERATIONS):
            code = self._data[self._at]
            self._at += 1
            if code == stop:
                return self.pop()
            operation = _OPERATIONS.get(code)
            if operation is None:
                raise NoDataError(f"operation {code:#04x}")
            operation(self)
        raise NoDataError("more operations than it may have")

    def take(self, count: int) -> bytes:
        start, self._at = self._at, self._at + count
        if count < 0 or self._at > len(self._data):
            raise NoDataError("it breaks off")
        return self._data[start : self._at]

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def push(self, value: Any) -> None:
        self._stack.append(value)

    def pop(self) -> Any:
        value = self._stack.pop()
        if value is _MARK:
            raise NoDataError("a mark that is no value")
        return value

    def top(self) -> Any:
        return self._stack[-1]

    def text(self, form: str) -> None:
        self.push(self.take(self.number(form)).decode("utf-8", errors="replace"))

    def octets(self, form: str) -> None:
        self.push(self.take(self.number(form)))

    def long(self, form: str) -> None:
        self.push(int.from_bytes(self.take(self.number(form)), "little", signed=True))

    def put(self, at: int) -> None:
        self._memo[at] = self._stack[-1]

    def memoize(self) -> None:
        self.put(len(self._memo))

    def get(self, form: str) -> None:
        self.push(self._memo[self.number(form)])

    def pop_mark(self) -> list[Any]:
        at = len(self._stack) - 1
        while self._stack[at] is not _MARK:
            at -= 1
        items = self._stack[at + 1 :]
        del self._stack[at:]
        return items

    def tuple_of(self, count: int) -> None:
        items = tuple(self._stack[-count:])
        del self._stack[-count:]
        self.push(items)

    def append(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if isinstance(target, Made):
            target.items += [(None, item) for item in items]
        else:
            _list(target).extend(items)

    def add_items(self) -> None:
        items = self.pop_mark()
        _list(self._stack[-1]).extend(items)  # a set, as a list

    def set_items(self, items: list[Any]) -> None:
        pairs = list(zip(items[::2], items[1::2], strict=True))
        target = self._stack[-1]
        if isinstance(target, Made):
            target.items += pairs
            return
        for key, value in pairs:
            if not isinstance(key, _KEYS) and not isinstance(key, Made | Named):
                raise NoDataError("a key that is no name")
            target[key] = value

    def two(self) -> list[Any]:
        items = self._stack[-2:]
        del self._stack[-2:]
        return items

    def dictionary(self) -> None:
        items = self.pop_mark()
        self.push({})
        self.set_items(items)

    def line(self) -> str:
        end = self._data.index(b"\n", self._at)
        return self.take(end + 1 - self._at)[:-1].decode("utf-8", errors="replace")

    def name(self) -> None:
        module = self.line()
        self.push(Named(f"{module}.{self.line()}"))

    def stack_name(self) -> None:
        module, name = self.two()
        self.push(Named(f"{module}.{name}"[:400]))

    def call(self) -> None:
        by, args = self.two()
        name = by.name if isinstance(by, Named) else ""
        if name == "collections.OrderedDict" and not args:
            self.push({})
        else:
            self.push(Made(name, args if isinstance(args, tuple) else (args,)))

    def call_named(self) -> None:
        by, args, named = self._stack[-3:]
        del self._stack[-3:]
        self.push(Made(by.name, args, named))

    def build(self) -> None:
        state = self.pop()
        if isinstance(self._stack[-1], Made):
            self._stack[-1].state = state

    def persistent(self) -> None:
        key = self.pop()
        self.push(Made("persistent", key if isinstance(key, tuple) else (key,)))


def _list(target: Any) -> list[Any]:
    if not isinstance(target, list):
        raise NoDataError("items of what is no list")
    return target


_OPERATIONS: dict[int, Callable[[_Machine], Any]] = {
    ord(code): operation
    for code, operation in (
        ("\x80", lambda vm: vm.take(1)),
        ("\x95", lambda vm: vm.take(8)),  # a frame
        ("(", lambda vm: vm.push(_MARK)),
        ("0", lambda vm: vm.pop()),
        ("1", lambda vm: vm.pop_mark()),
        ("2", lambda vm: vm.push(vm.top())),
        ("N", lambda vm: vm.push(None)),
        ("\x88", lambda vm: vm.push(value=True)),
        ("\x89", lambda vm: vm.push(value=False)),
        ("J", lambda vm: vm.push(vm.number("<i"))),
        ("K", lambda vm: vm.push(vm.number("<B"))),
        ("M", lambda vm: vm.push(vm.number("<H"))),
        ("\x8a", lambda vm: vm.long("<B")),
        ("G", lambda vm: vm.push(vm.number(">d"))),
        ("X", lambda vm: vm.text("<I")),
        ("\x8c", lambda vm: vm.text("<B")),
        ("T", lambda vm: vm.text("<i")),
        ("U", lambda vm: vm.text("<B")),
        ("B", lambda vm: vm.octets("<I")),
        ("C", lambda vm: vm.octets("<B")),
        ("]", lambda vm: vm.push([])),
        (")", lambda vm: vm.push(())),
        ("}", lambda vm: vm.push({})),
        ("\x8f", lambda vm: vm.push([])),
        ("a", lambda vm: vm.append([vm.pop()])),
        ("e", lambda vm: vm.append(vm.pop_mark())),
        ("\x90", lambda vm: vm.add_items()),
        ("\x91", lambda vm: vm.push(tuple(vm.pop_mark()))),
        ("s", lambda vm: vm.set_items(vm.two())),
        ("u", lambda vm: vm.set_items(vm.pop_mark())),
        ("t", lambda vm: vm.push(tuple(vm.pop_mark()))),
        ("l", lambda vm: vm.push(vm.pop_mark())),
        ("d", lambda vm: vm.dictionary()),
        ("\x85", lambda vm: vm.tuple_of(1)),
        ("\x86", lambda vm: vm.tuple_of(2)),
        ("\x87", lambda vm: vm.tuple_of(3)),
        ("q", lambda vm: vm.put(vm.number("<B"))),
        ("r", lambda vm: vm.put(vm.number("<I"))),
        ("\x94", lambda vm: vm.memoize()),
        ("h", lambda vm: vm.get("<B")),
        ("j", lambda vm: vm.get("<I")),
        ("c", lambda vm: vm.name()),
        ("\x93", lambda vm: vm.stack_name()),
        ("R", lambda vm: vm.call()),
        ("\x81", lambda vm: vm.call()),
        ("\x92", lambda vm: vm.call_named()),
        ("b", lambda vm: vm.build()),
        ("Q", lambda vm: vm.persistent()),
    )
}
